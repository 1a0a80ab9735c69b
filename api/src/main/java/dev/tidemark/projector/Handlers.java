package dev.tidemark.projector;

import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import dev.tidemark.kernel.Faults;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What each type of event does: turns a delivery into the write of an entity. Safe for use by many
 * threads.
 *
 * @param byType the handlers of events
 * @param identity gives the message that entities remember of a delivery
 * @param inLaneOrder whether effects on different entities keep the order of lanes
 */
record Handlers<T>(
    Map<Class<?>, Handler<T>> byType,
    Function<? super Delivery, ? extends Message> identity,
    boolean inLaneOrder) {

  /** Says what one event does. */
  interface Handler<T> {
    Doing<T> of(Message message, Object event);

    /** Whether it does transactions. */
    default boolean transacts() {
      return false;
    }
  }

  /** Says what an event does to several entities. */
  record Transacting<T>(BiFunction<Message, Object, Outcome<T>> transaction) implements Handler<T> {
    @Override
    public Doing<T> of(Message message, Object event) {
      return new Doing<>(null, () -> transaction.apply(message, event));
    }

    @Override
    public boolean transacts() {
      return true;
    }
  }

  /**
   * What a delivery does: a write of one entity, a transaction, or nothing.
   *
   * @param write of one entity; null if it is none
   * @param transaction of several; null if it is none
   */
  record Doing<T>(@Nullable Write<T> write, @Nullable Supplier<Outcome<T>> transaction) {}

  Handlers {
    byType = Map.copyOf(byType);
  }

  /** The write of a delivery, in the delivery's lane where lanes are kept in order. */
  Write<T> inItsLane(Delivery delivery, Write<T> write) {
    return inLaneOrder ? delivery.lane().map(write::inLane).orElse(write) : write;
  }

  /** What is known of the deliveries of a batch. */
  List<Told<T>> told(List<Delivery> deliveries) {
    return Told.waiting(deliveries.stream().map(this::told).toList());
  }

  private Told<T> told(Delivery delivery) {
    Message message = null;
    try {
      message = message(delivery);
      return new Told<>(delivery, message, doing(delivery, message), null, null);
    } catch (Throwable e) {
      return new Told<>(delivery, message, null, Faults.unchecked(e), null);
    }
  }

  /** What a delivery does; nothing if its event is ignored without a record. */
  Doing<T> doing(Delivery delivery) {
    return doing(delivery, message(delivery));
  }

  private Message message(Delivery delivery) {
    Class<?> type = Delivery.given("delivery", delivery).event().getClass();
    return given(type, "identity, by identifiedBy()", identity.apply(delivery));
  }

  private Doing<T> doing(Delivery delivery, Message message) {
    Object event = delivery.event();
    return handler(event.getClass()).of(message, event);
  }

  /** What the handler of an event type gave; null is a mistake of the handler's. */
  static <R> R given(Class<?> type, String what, @Nullable R result) {
    if (result == null) {
      throw new IllegalArgumentException(
          "the handler of event type " + type.getName() + " gave null as " + what);
    }
    return result;
  }

  /** Whether any event changes several entities. */
  boolean hasTransactions() {
    return byType.values().stream().anyMatch(Handler::transacts);
  }

  Handler<T> handler(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      Handler<T> found = ownHandler(c);
      if (found != null) {
        return found;
      }
    }
    throw new IllegalArgumentException(
        "event type "
            + type.getName()
            + " is neither handled nor ignored by this projector;"
            + " add a handler for it, or ignoring()");
  }

  private @Nullable Handler<T> ownHandler(Class<?> type) {
    Handler<T> own = byType.get(type);
    for (int i = 0; own == null && i < type.getInterfaces().length; i++) {
      own = ownHandler(type.getInterfaces()[i]);
    }
    return own;
  }
}
