package dev.tidemark.projector;

import dev.tidemark.Message;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message: its identity, its decoded event and, where the transport has an order
 * of its own, its lane (topic and partition, FIFO group).
 *
 * @param message its identity
 * @param event the decoded event
 * @param laneOrNull see {@link #lane()}
 * @param offset the place in the lane; empty unless the lane was given with one
 */
public record Delivery(
    Message message, Object event, @Nullable String laneOrNull, OptionalLong offset) {
  /**
   * Checks what is given.
   *
   * @param message its identity
   * @param event the decoded event
   * @param laneOrNull see {@link #lane()}
   * @param offset the place in the lane; empty unless the lane was given with one
   * @throws IllegalArgumentException if the lane is empty or the offset negative
   */
  public Delivery {
    given("message of a delivery", message);
    given("event of the delivery of " + message, event);
    if (laneOrNull != null && laneOrNull.isEmpty()) {
      throw new IllegalArgumentException("lane must not be empty");
    }
    if (offset.isPresent() && offset.getAsLong() < 0) {
      throw new IllegalArgumentException("offset must be 0 or more, was " + offset.getAsLong());
    }
  }

  /** What a caller has to give; it is missing where a caller without null checks left it out. */
  static <A> A given(String what, @Nullable A value) {
    if (value == null) {
      throw new IllegalArgumentException(what + " must not be null");
    }
    return value;
  }

  /**
   * A delivery of a transport without order.
   *
   * @param message its identity
   * @param event the decoded event
   * @return the delivery
   */
  public static Delivery of(Message message, Object event) {
    return new Delivery(message, event, null, OptionalLong.empty());
  }

  /**
   * The same delivery in a lane of its transport.
   *
   * @param lane the transport's own order, such as topic and partition
   * @return the delivery
   */
  public Delivery lane(String lane) {
    return new Delivery(message, event, given("lane", lane), OptionalLong.empty());
  }

  /**
   * The same delivery at a place in a lane whose consumer commits offsets, as Kafka's do.
   *
   * @param lane the transport's own order, such as topic and partition
   * @param offset the delivery's place in it, 0 or more
   * @return the delivery
   * @throws IllegalArgumentException if the lane is empty or the offset negative
   */
  public Delivery lane(String lane, long offset) {
    return new Delivery(message, event, given("lane", lane), OptionalLong.of(offset));
  }

  /**
   * The transport's own order.
   *
   * @return empty for a standard queue
   */
  public Optional<String> lane() {
    return Optional.ofNullable(laneOrNull);
  }

  /** Names the identity and the event's class, not the event. */
  @Override
  public String toString() {
    return "Delivery[" + message + ", " + event.getClass().getSimpleName() + "]";
  }
}
