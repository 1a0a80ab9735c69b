package dev.tidemark;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message: its identity, its decoded event and, where the transport has an order
 * of its own, its lane (topic and partition, FIFO group).
 */
public final class Delivery {
  private final Message message;
  private final Object event;
  private final @Nullable String lane;

  private Delivery(Message message, Object event, @Nullable String lane) {
    this.message = Objects.requireNonNull(message, "message");
    this.event = Objects.requireNonNull(event, "event");
    this.lane = lane;
  }

  /**
   * A delivery of a transport without order.
   *
   * @param message its identity
   * @param event the decoded event
   * @return the delivery
   */
  public static Delivery of(Message message, Object event) {
    return new Delivery(message, event, null);
  }

  /**
   * The same delivery in a lane of its transport.
   *
   * @param lane the transport's own order, such as topic and partition
   * @return the delivery
   */
  public Delivery lane(String lane) {
    return new Delivery(message, event, Text.notEmpty("lane", lane));
  }

  /**
   * The identity.
   *
   * @return the message
   */
  public Message message() {
    return message;
  }

  /**
   * The decoded event.
   *
   * @return the event
   */
  public Object event() {
    return event;
  }

  /**
   * The transport's own order.
   *
   * @return empty for a standard queue
   */
  public Optional<String> lane() {
    return Optional.ofNullable(lane);
  }

  /** Names the identity and the event's class, not the event. */
  @Override
  public String toString() {
    return "Delivery[" + message + ", " + event.getClass().getSimpleName() + "]";
  }
}
