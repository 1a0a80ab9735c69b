package dev.tidemark.projector;

import dev.tidemark.AsyncEntityStore;
import dev.tidemark.EntityStore;
import dev.tidemark.Outcome;
import dev.tidemark.TidemarkException;
import java.util.List;

/**
 * Maps event types to entities of one store, and handles deliveries, one at a time or in batches.
 *
 * <pre>{@code
 * Projector<OrderView> orderHistory =
 *     Projector.into(orders)
 *         .on(OrderPlaced.class, e -> key(e.orderId()), OrderView::new, (view, e) -> view.placed(e))
 *         .on(OrderPaid.class, e -> key(e.orderId()), (view, e) -> view.paid(e))
 *         .updating(OrderShipped.class, e -> key(e.orderId()), e -> change().set("status", "SHIPPED"))
 *         .deleting(OrderPurged.class, e -> key(e.orderId()))
 *         .ignoring(OrderViewed.class)
 *         .build();
 * }</pre>
 *
 * <p>An event is dispatched by its class, or by the nearest superclass or interface that has a
 * handler. Projectors are immutable and safe for use by many threads.
 *
 * @param <T> the entity's type
 */
public final class Projector<T> {

  private final EntityStore<T> store;
  private final Handlers<T> handlers;

  private Projector(EntityStore<T> store, Handlers<T> handlers) {
    this.store = store;
    this.handlers = handlers;
  }

  /**
   * Starts a projector.
   *
   * @param store where its entities are
   * @param <T> the entity's type
   * @return a builder
   */
  public static <T> ProjectorBuilder<T, Projector<T>> into(EntityStore<T> store) {
    return new ProjectorBuilder<>(store::tracking, handlers -> new Projector<>(store, handlers));
  }

  /**
   * Starts a projector whose handling ends by futures.
   *
   * @param store where its entities are
   * @param <T> the entity's type
   * @return a builder
   */
  public static <T> ProjectorBuilder<T, AsyncProjector<T>> into(AsyncEntityStore<T> store) {
    return new ProjectorBuilder<>(
        store::tracking, handlers -> new AsyncProjector<>(store, handlers));
  }

  /**
   * Handles one delivery: one tracked call of the store. An event that is {@linkplain
   * ProjectorBuilder#ignoring(Class) ignored} without a key is answered {@link Outcome.Ignored}
   * without a request.
   *
   * @param delivery the delivery
   * @return what it did; acknowledge if it {@link Outcome#isDone()}
   * @throws IllegalArgumentException if the event's type is neither handled nor ignored
   * @throws TidemarkException as {@link EntityStore} says; the delivery is then not done
   */
  public Outcome<T> handle(Delivery delivery) {
    Handlers.Doing<T> doing = handlers.doing(delivery);
    if (doing.transaction() != null) {
      return doing.transaction().get();
    }
    return doing.write() == null ? new Outcome.Ignored<>() : store.write(doing.write());
  }

  /**
   * Handles a batch with fewer requests than deliveries, as {@link EntityStore#writeAll} says. A
   * delivery whose event has no handler or no key fails. The entity of such a delivery is not
   * known, so later deliveries of its source, by position, are held back for all entities, unless a
   * dense window that gives up no holes takes them.
   *
   * <p>A delivery that {@link ProjectorBuilder#identifiedBy} cannot identify fails too. Its source
   * is not known, so the events of all sources are held back, except those in front of it in its
   * lane. Of these, a later event of an entity waits for an earlier one that is held back. Identity
   * and key of a delivery are asked once for a batch.
   *
   * <p>What a handler throws fails its own delivery. If it is no {@link RuntimeException}, such as
   * a {@link StackOverflowError} or a checked exception that is not declared, the fault is an
   * {@link java.lang.reflect.UndeclaredThrowableException} that has it as its cause. {@link
   * OutOfMemoryError} and each other {@link VirtualMachineError} that is no {@link
   * StackOverflowError} is thrown.
   *
   * @param deliveries in the order in which they came
   * @return what became of each; faults are in there and are not thrown
   */
  public BatchOutcome<T> handle(List<Delivery> deliveries) {
    if (!handlers.hasTransactions()) {
      return batch(handlers.told(deliveries));
    }
    Together<T> together = new Together<>(store.tracking(), handlers, deliveries);
    for (Together.Piece<T> piece = together.next(); piece != null; piece = together.next()) {
      together.done(
          piece.transaction() == null
              ? batch(piece.told()).results()
              : List.of(Together.result(piece.transaction())));
    }
    return together.outcome();
  }

  private BatchOutcome<T> batch(List<Told<T>> told) {
    ProjectorBatch<T> batch = new ProjectorBatch<>(store.tracking(), handlers, told);
    return batch.outcome(batch.writes().isEmpty() ? List.of() : store.writeAll(batch.writes()));
  }
}
