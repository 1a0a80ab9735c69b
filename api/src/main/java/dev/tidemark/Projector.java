package dev.tidemark;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  /** Says what one event does; null if nothing. */
  private interface Handler<T> {
    @Nullable Write<T> write(Message message, Object event);
  }

  private final EntityStore<T> store;
  private final Map<Class<?>, Handler<T>> handlers;
  private final Function<? super Delivery, ? extends Message> identity;
  private final boolean inLaneOrder;

  private Projector(Builder<T> builder) {
    this.store = builder.store;
    this.handlers = Map.copyOf(builder.handlers);
    this.identity = builder.identity;
    this.inLaneOrder = builder.inLaneOrder;
  }

  /**
   * Starts a projector.
   *
   * @param store where its entities are
   * @param <T> the entity's type
   * @return a builder
   */
  public static <T> Builder<T> into(EntityStore<T> store) {
    return new Builder<>(store);
  }

  /**
   * Handles one delivery: one tracked call of the store. An event that is {@linkplain
   * Builder#ignoring(Class) ignored} without a key is answered {@link Outcome.Ignored} without a
   * request.
   *
   * @param delivery the delivery
   * @return what it did; acknowledge if it {@link Outcome#isDone()}
   * @throws IllegalArgumentException if the event's type is neither handled nor ignored
   * @throws TidemarkException as {@link EntityStore} says; the delivery is then not done
   */
  public Outcome<T> handle(Delivery delivery) {
    Write<T> write = write(delivery);
    return write == null ? new Outcome.Ignored<>() : write.madeBy(store);
  }

  /**
   * Handles a batch with fewer requests than deliveries, as {@link EntityStore#writeAll} says. A
   * delivery whose event has no handler, or no key, fails; since its entity is not known, what is
   * behind it in its source, by position, is held back for all entities, unless a dense window that
   * gives up no holes takes it.
   *
   * @param deliveries in the order in which they came
   * @return what became of each; faults are in there and are not thrown
   */
  public BatchOutcome<T> handle(List<Delivery> deliveries) {
    return new ProjectorBatch<>(store, inLaneOrder, this::write).handle(deliveries);
  }

  private @Nullable Write<T> write(Delivery delivery) {
    Object event = Text.given("delivery", delivery).event();
    Message message =
        given(event.getClass(), "identity, by identifiedBy()", identity.apply(delivery));
    return handler(event.getClass()).write(message, event);
  }

  /** What the handler of an event type gave; null is a mistake of the handler's. */
  private static <R> R given(Class<?> type, String what, @Nullable R result) {
    if (result == null) {
      throw new IllegalArgumentException(
          "the handler of event type " + type.getName() + " gave null as " + what);
    }
    return result;
  }

  private static <E> Key keyOf(Class<?> type, Function<? super E, Key> key, E event) {
    return given(type, "the key", key.apply(event));
  }

  private Handler<T> handler(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      Handler<T> found = ownHandler(c);
      if (found != null) {
        return found;
      }
    }
    throw new IllegalArgumentException(
        "event type " + type.getName() + " is neither handled nor ignored by this projector");
  }

  private @Nullable Handler<T> ownHandler(Class<?> type) {
    Handler<T> own = handlers.get(type);
    for (int i = 0; own == null && i < type.getInterfaces().length; i++) {
      own = ownHandler(type.getInterfaces()[i]);
    }
    return own;
  }

  /**
   * Collects the handlers of a projector. Mutable; for one thread.
   *
   * @param <T> the entity's type
   */
  public static final class Builder<T> {
    private final EntityStore<T> store;
    private final Map<Class<?>, Handler<T>> handlers = new LinkedHashMap<>();
    private final Set<Class<?>> unkeyed = new LinkedHashSet<>();
    private final Set<Class<?>> declared = new LinkedHashSet<>();
    private Function<? super Delivery, ? extends Message> identity = Delivery::message;
    private boolean inLaneOrder;

    private Builder(EntityStore<T> store) {
      this.store = store;
    }

    /**
     * Changes an existing entity by a function.
     *
     * @param type the event's type
     * @param key which entity an event is for
     * @param function gives the new entity
     * @param <E> the event's type
     * @return this builder
     */
    public <E> Builder<T> on(
        Class<E> type, Function<? super E, Key> key, BiFunction<T, ? super E, T> function) {
      return put(
          type,
          (message, event) -> {
            E e = type.cast(event);
            return Write.apply(
                message,
                keyOf(type, key, e),
                entity -> given(type, "the entity", function.apply(entity, e)));
          });
    }

    /**
     * Changes an entity by a function, creating it from an initial value where there is none.
     *
     * @param type the event's type
     * @param key which entity an event is for
     * @param initial makes the initial value
     * @param function gives the new entity
     * @param <E> the event's type
     * @return this builder
     */
    public <E> Builder<T> on(
        Class<E> type,
        Function<? super E, Key> key,
        Supplier<T> initial,
        BiFunction<T, ? super E, T> function) {
      return put(
          type,
          (message, event) -> {
            E e = type.cast(event);
            return Write.apply(
                message,
                keyOf(type, key, e),
                initial,
                entity -> given(type, "the entity", function.apply(entity, e)));
          });
    }

    /**
     * Changes an existing entity by a function that may refuse.
     *
     * @param type the event's type
     * @param key which entity an event is for
     * @param function gives the new entity, or refuses
     * @param <E> the event's type
     * @return this builder
     */
    public <E> Builder<T> deciding(
        Class<E> type,
        Function<? super E, Key> key,
        BiFunction<T, ? super E, Decision<T>> function) {
      return put(
          type,
          (message, event) -> {
            E e = type.cast(event);
            return Write.decide(
                message,
                keyOf(type, key, e),
                entity -> given(type, "the decision", function.apply(entity, e)));
          });
    }

    /**
     * Changes an entity by a function that may refuse, creating it from an initial value where
     * there is none.
     *
     * @param type the event's type
     * @param key which entity an event is for
     * @param initial makes the initial value
     * @param function gives the new entity, or refuses
     * @param <E> the event's type
     * @return this builder
     */
    public <E> Builder<T> deciding(
        Class<E> type,
        Function<? super E, Key> key,
        Supplier<T> initial,
        BiFunction<T, ? super E, Decision<T>> function) {
      return put(
          type,
          (message, event) -> {
            E e = type.cast(event);
            return Write.decide(
                message,
                keyOf(type, key, e),
                initial,
                entity -> given(type, "the decision", function.apply(entity, e)));
          });
    }

    /**
     * Changes an entity in one request, without reading it.
     *
     * @param type the event's type
     * @param key which entity an event is for
     * @param change what the event changes
     * @param <E> the event's type
     * @return this builder
     */
    public <E> Builder<T> updating(
        Class<E> type, Function<? super E, Key> key, Function<? super E, Change> change) {
      return put(
          type,
          (message, event) -> {
            E e = type.cast(event);
            return Write.update(
                message, keyOf(type, key, e), given(type, "the change", change.apply(e)));
          });
    }

    /**
     * Deletes the entity.
     *
     * @param type the event's type
     * @param key which entity an event is for
     * @param <E> the event's type
     * @return this builder
     */
    public <E> Builder<T> deleting(Class<E> type, Function<? super E, Key> key) {
      return put(
          type, (message, event) -> Write.delete(message, keyOf(type, key, type.cast(event))));
    }

    /**
     * Lets events of a type pass without a request; not for dense sources, whose positions must all
     * be recorded.
     *
     * @param type the event's type
     * @return this builder
     */
    public Builder<T> ignoring(Class<?> type) {
      unkeyed.add(type);
      return put(type, (message, event) -> null);
    }

    /**
     * Records events of a type on their entity without changing it.
     *
     * @param type the event's type
     * @param key which entity an event is for
     * @param <E> the event's type
     * @return this builder
     */
    public <E> Builder<T> ignoring(Class<E> type, Function<? super E, Key> key) {
      return put(type, (message, event) -> Write.skip(message, keyOf(type, key, type.cast(event))));
    }

    /**
     * Declares the types of events that will come; those of a sealed type are all that it permits.
     * None may be left neither handled nor ignored.
     *
     * @param type a type of events
     * @return this builder
     */
    public Builder<T> declaring(Class<?> type) {
      if (type.isSealed()) {
        for (Class<?> permitted : type.getPermittedSubclasses()) {
          declaring(permitted);
        }
      } else {
        declared.add(type);
      }
      return this;
    }

    /**
     * Knows deliveries by another identity than their own. For a second view of the same events:
     * one whose entities get few events of very many sources keeps message IDs, where the first
     * keeps marks of sources; both take the same deliveries, so that their batches can be joined by
     * {@link BatchOutcome#and}.
     *
     * @param identity gives the message that the entities remember, the same for every delivery of
     *     it; by default {@link Delivery#message()}
     * @return this builder
     */
    public Builder<T> identifiedBy(Function<? super Delivery, ? extends Message> identity) {
      this.identity = Text.given("identity", identity);
      return this;
    }

    /**
     * Keeps the order of the transport from one entity to another: what follows a delivery that is
     * not done, in its {@linkplain Delivery#lane(String) lane}, is not tried, whatever its entity.
     * For handlers that rely on what an earlier event of another entity has left. Others do without
     * it: {@link BatchOutcome} acknowledges nothing behind an undone delivery of its lane anyway,
     * and each entity has the events of a source in their order.
     *
     * <p>Its price is the batch: a lane goes on to another entity only once the write of the one
     * before it is answered, so that nearly every delivery takes its own requests, one after the
     * other. Of the demonstration's 4,300 deliveries in batches of 50, two views took 7,378
     * requests on DynamoDB with it and 3,145 without, on MongoDB 7,573 and 303.
     *
     * @return this builder
     */
    public Builder<T> inLaneOrder() {
      this.inLaneOrder = true;
      return this;
    }

    /**
     * Makes the projector.
     *
     * @return a projector of the handlers so far
     * @throws IllegalStateException if there is no handler, if a declared type is neither handled
     *     nor ignored, or if dense sources are tracked and a type is ignored without a key
     */
    public Projector<T> build() {
      if (handlers.isEmpty()) {
        throw new IllegalStateException("a projector needs a handler");
      }
      Projector<T> projector = new Projector<>(this);
      checkDeclared(projector);
      if (!unkeyed.isEmpty() && store.tracking().tracksDenseSources()) {
        throw new IllegalStateException(
            "a dense source is tracked, so ignoring "
                + unkeyed.iterator().next().getName()
                + " needs the key on which its positions are recorded");
      }
      return projector;
    }

    private void checkDeclared(Projector<T> projector) {
      for (Class<?> type : declared) {
        try {
          projector.handler(type);
        } catch (IllegalArgumentException e) {
          throw new IllegalStateException("declared " + e.getMessage(), e);
        }
      }
    }

    private Builder<T> put(Class<?> type, Handler<T> handler) {
      if (handlers.putIfAbsent(type, handler) != null) {
        throw new IllegalStateException("event type " + type.getName() + " has a handler already");
      }
      return this;
    }
  }
}
