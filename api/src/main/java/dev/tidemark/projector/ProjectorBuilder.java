package dev.tidemark.projector;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Message;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.transaction.Committed;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the handlers of a projector. Mutable; for one thread.
 *
 * @param <T> the entity's type
 * @param <P> what it makes: {@link Projector}, or {@link AsyncProjector}
 */
public final class ProjectorBuilder<T, P> {
  private final Supplier<Tracking> tracking;
  private final Function<Handlers<T>, P> maker;
  private final Map<Class<?>, Handlers.Handler<T>> handlers = new LinkedHashMap<>();
  private final Set<Class<?>> unkeyed = new LinkedHashSet<>();
  private final Set<Class<?>> declared = new LinkedHashSet<>();
  private Function<? super Delivery, ? extends Message> identity = Delivery::message;
  private boolean inLaneOrder;

  ProjectorBuilder(Supplier<Tracking> tracking, Function<Handlers<T>, P> maker) {
    this.tracking = tracking;
    this.maker = maker;
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
  public <E> ProjectorBuilder<T, P> on(
      Class<E> type, Function<? super E, EntityKey> key, BiFunction<T, ? super E, T> function) {
    return deciding(type, key, (entity, e) -> decided(type, function.apply(entity, e)));
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
  public <E> ProjectorBuilder<T, P> on(
      Class<E> type,
      Function<? super E, EntityKey> key,
      Supplier<T> initial,
      BiFunction<T, ? super E, T> function) {
    return deciding(type, key, initial, (entity, e) -> decided(type, function.apply(entity, e)));
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
  public <E> ProjectorBuilder<T, P> deciding(
      Class<E> type,
      Function<? super E, EntityKey> key,
      BiFunction<T, ? super E, Decision<T>> function) {
    return function(type, key, null, function);
  }

  /**
   * Changes an entity by a function that may refuse, creating it from an initial value where there
   * is none.
   *
   * @param type the event's type
   * @param key which entity an event is for
   * @param initial makes the initial value
   * @param function gives the new entity, or refuses
   * @param <E> the event's type
   * @return this builder
   */
  public <E> ProjectorBuilder<T, P> deciding(
      Class<E> type,
      Function<? super E, EntityKey> key,
      Supplier<T> initial,
      BiFunction<T, ? super E, Decision<T>> function) {
    return function(type, key, Delivery.given("initial", initial), function);
  }

  private <E> ProjectorBuilder<T, P> function(
      Class<E> type,
      Function<? super E, EntityKey> key,
      @Nullable Supplier<T> initial,
      BiFunction<T, ? super E, Decision<T>> function) {
    return put(
        type,
        key,
        e ->
            new Write.Action.Apply<>(
                initial,
                entity -> Handlers.given(type, "the decision", function.apply(entity, e))));
  }

  /**
   * Changes an entity in one request, without reading it.
   *
   * @param type the event's type
   * @param key which entity an event is for
   * @param change what the event changes: a portable change, or one in the store's own words
   * @param <E> the event's type
   * @return this builder
   */
  public <E> ProjectorBuilder<T, P> updating(
      Class<E> type,
      Function<? super E, EntityKey> key,
      Function<? super E, ? extends EntityUpdate> change) {
    return put(
        type,
        key,
        e -> new Write.Action.Update<>(Handlers.given(type, "the change", change.apply(e))));
  }

  /**
   * Deletes the entity.
   *
   * @param type the event's type
   * @param key which entity an event is for
   * @param <E> the event's type
   * @return this builder
   */
  public <E> ProjectorBuilder<T, P> deleting(Class<E> type, Function<? super E, EntityKey> key) {
    return put(type, key, e -> new Write.Action.Delete<>(false));
  }

  /**
   * Changes several entities, of this store or of others, in one transaction: all of them or none,
   * each with its own mark of the message. The outcome of the delivery is the first outcome that is
   * not done or, if all are done, the first one; {@link dev.tidemark.Outcome.Missing} where a
   * deleted entity, or a forget of one that is not there, keeps the others from being written. If
   * some of the entities remember the message and others do not, a {@link
   * dev.tidemark.CorruptRecordException} is thrown: one was written outside of the transaction, or
   * has forgotten the message since.
   *
   * <p>In a batch such a delivery is handled by itself, in its place: what comes before it is
   * written first. Events of one source stand by position there. A transaction waits for the
   * earlier events of its source that are not done, whatever their entities, and the later ones of
   * its source wait for it, whatever window their entity has; all else goes on. An {@link
   * AsyncProjector} runs the transaction on a thread of the common pool.
   *
   * @param type the event's type
   * @param transaction commits a transaction of tracked writes, each under the message that it is
   *     given
   * @param <E> the event's type
   * @return this builder
   */
  public <E> ProjectorBuilder<T, P> transacting(
      Class<E> type, BiFunction<? super E, Message, Committed> transaction) {
    Delivery.given("transaction", transaction);
    return put(
        type,
        new Handlers.Transacting<>(
            (message, event) ->
                Together.outcome(
                    Handlers.given(
                        type,
                        "what the transaction came to",
                        transaction.apply(type.cast(event), message)))));
  }

  /**
   * Lets events of a type pass without a request; not for dense sources, whose positions must all
   * be recorded.
   *
   * @param type the event's type
   * @return this builder
   */
  public ProjectorBuilder<T, P> ignoring(Class<?> type) {
    unkeyed.add(type);
    return put(type, (message, event) -> new Handlers.Doing<>(null, null));
  }

  /**
   * Records events of a type on their entity without changing it. Where there is no entity, an
   * event is {@link dev.tidemark.Outcome.Missing} and comes again until another event has made the
   * entity. An event that comes first in a contiguous source keeps the later ones waiting
   * meanwhile, each of them a Gap, for ever if only these would make the entity: see {@link
   * #ignoring(Class, Function, Supplier)}.
   *
   * @param type the event's type
   * @param key which entity an event is for
   * @param <E> the event's type
   * @return this builder
   */
  public <E> ProjectorBuilder<T, P> ignoring(Class<E> type, Function<? super E, EntityKey> key) {
    return put(type, key, e -> new Write.Action.Update<>(Change.change()));
  }

  /**
   * Records events of a type on their entity without changing it, and makes the entity where there
   * is none, since nothing can be recorded without one. For events that may come first in a
   * contiguous source.
   *
   * @param type the event's type
   * @param key which entity an event is for
   * @param initial makes the value of an entity that is not there; the other handlers that make
   *     entities start from the same one
   * @param <E> the event's type
   * @return this builder
   */
  public <E> ProjectorBuilder<T, P> ignoring(
      Class<E> type, Function<? super E, EntityKey> key, Supplier<T> initial) {
    return on(type, key, initial, (entity, e) -> entity);
  }

  /**
   * Declares a type of events that will come; a sealed type stands for all types that it permits.
   * {@link #build} fails if a declared type is neither handled nor ignored.
   *
   * @param type a type of events
   * @return this builder
   */
  public ProjectorBuilder<T, P> declaring(Class<?> type) {
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
   * Identifies deliveries by another message than their own, for a second view of the same events.
   * A second view whose entities get few events of very many sources can keep message IDs while the
   * first view keeps marks of sources. Both views take the same deliveries, so that their batches
   * can be joined by {@link BatchOutcome#and}. A delivery for which the function throws or gives
   * null fails, and holds back events of its batch as {@link Projector#handle(java.util.List)}
   * says.
   *
   * @param identity gives the message that the entities remember, the same for every delivery of
   *     it; by default {@link Delivery#message()}
   * @return this builder
   */
  public ProjectorBuilder<T, P> identifiedBy(
      Function<? super Delivery, ? extends Message> identity) {
    this.identity = Delivery.given("identity", identity);
    return this;
  }

  /**
   * Keeps the order of the transport from one entity to another: what follows a delivery that is
   * not done, in its {@linkplain Delivery#lane(String) lane}, is not tried, whatever its entity.
   * For handlers that rely on what an earlier event of another entity has left. Others do without
   * it: {@link BatchOutcome} acknowledges nothing behind an undone delivery of its lane anyway, and
   * each entity has the events of a source in their order.
   *
   * <p>The price is that batches save few requests: a lane goes on to another entity only after the
   * write of the entity before it is answered. So nearly every delivery takes its own requests, one
   * after the other. Of the demonstration's 4,300 deliveries in batches of 50, two views took 7,378
   * requests on DynamoDB with it and 3,145 without, on MongoDB 7,573 and 303.
   *
   * @return this builder
   */
  public ProjectorBuilder<T, P> inLaneOrder() {
    this.inLaneOrder = true;
    return this;
  }

  /**
   * Makes the projector.
   *
   * @return a projector of the handlers so far
   * @throws IllegalStateException if there is no handler, if a declared type is neither handled nor
   *     ignored, or if dense sources are tracked and a type is ignored without a key
   */
  public P build() {
    if (handlers.isEmpty()) {
      throw new IllegalStateException("a projector needs a handler");
    }
    Handlers<T> all = new Handlers<>(handlers, identity, inLaneOrder);
    checkDeclared(all);
    if (!unkeyed.isEmpty() && tracking.get().tracksDenseSources()) {
      throw new IllegalStateException(
          "a dense source is tracked, so ignoring "
              + unkeyed.iterator().next().getName()
              + " needs the key on which its positions are recorded");
    }
    return maker.apply(all);
  }

  private void checkDeclared(Handlers<T> all) {
    for (Class<?> type : declared) {
      try {
        all.handler(type);
      } catch (IllegalArgumentException e) {
        throw new IllegalStateException("declared " + e.getMessage(), e);
      }
    }
  }

  private static <T> Decision<T> decided(Class<?> type, @Nullable T entity) {
    return Decision.to(Handlers.given(type, "the entity", entity));
  }

  private <E> ProjectorBuilder<T, P> put(
      Class<E> type, Function<? super E, EntityKey> key, Function<E, Write.Action<T>> action) {
    return put(
        type,
        (message, event) -> {
          E e = type.cast(event);
          EntityKey of = Handlers.given(type, "the key", key.apply(e));
          return new Handlers.Doing<>(new Write<>(message, of, action.apply(e), null), null);
        });
  }

  private ProjectorBuilder<T, P> put(Class<?> type, Handlers.Handler<T> handler) {
    if (handlers.putIfAbsent(type, handler) != null) {
      throw new IllegalStateException("event type " + type.getName() + " has a handler already");
    }
    return this;
  }
}
