package dev.tidemark.example.orderhistory;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.projector.Delivery;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order has another status than was told before. A row of the order history publishes it with
 * the write that changes the row. Whoever adds one to {@link #to} and takes one from {@link #from},
 * each message once, has counted the orders in each status, in whatever order messages come.
 *
 * @param eventId the message's own ID, by which consumers drop twins; the relay sends it under the
 *     same ID, and it is here for carriers that have no headers
 * @param orderId which order
 * @param restaurant where
 * @param from the status that was told before; null for the first
 * @param to the status; null if what was told before is taken back
 * @param at when the order reached the status
 */
public record OrderStatusChanged(
    String eventId,
    String orderId,
    String restaurant,
    @Nullable String from,
    @Nullable String to,
    Instant at)
    implements Incoming {
  /** The topic of these messages, as rows name it. */
  public static final String TOPIC = "order-status";

  @Override
  public Delivery delivery() {
    return Delivery.of(MessageId.of(eventId), this);
  }

  /** The message to publish. */
  OutgoingMessage message() {
    return OutgoingMessage.to(TOPIC, EventJson.text(this))
        .id(eventId)
        .key(orderId)
        .type(OrderStatusChanged.class.getSimpleName());
  }
}
