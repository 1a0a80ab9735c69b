package dev.tidemark.example.orderhistory;

import java.time.Instant;
import java.util.List;

/** What happened to an order. */
public sealed interface OrderEvent extends Event {
  /**
   * Who ordered.
   *
   * @return the consumer's id
   */
  String consumerId();

  @Override
  default String aggregateType() {
    return "Order";
  }

  @Override
  default String aggregateId() {
    return orderId();
  }

  /**
   * An order was placed.
   *
   * @param eventId the event's own id
   * @param orderId which order
   * @param version the order's new version
   * @param at when
   * @param consumerId who ordered
   * @param restaurant where
   * @param lines what, at least one
   */
  record OrderCreated(
      String eventId,
      String orderId,
      long version,
      Instant at,
      String consumerId,
      String restaurant,
      List<OrderLine> lines)
      implements OrderEvent {
    /**
     * Refuses an order of nothing.
     *
     * @param eventId the event's own id
     * @param orderId which order
     * @param version the order's new version
     * @param at when
     * @param consumerId who ordered
     * @param restaurant where
     * @param lines what, at least one
     */
    public OrderCreated {
      lines = List.copyOf(lines);
      if (lines.isEmpty()) {
        throw new IllegalArgumentException("an order has at least one line");
      }
    }

    /** What all lines cost, in cents. */
    long cents() {
      return lines.stream().mapToLong(OrderLine::cents).sum();
    }
  }

  /**
   * The consumer added a tip.
   *
   * @param eventId the event's own id
   * @param orderId which order
   * @param version the order's new version
   * @param at when
   * @param consumerId who ordered
   * @param cents how much
   */
  record TipGiven(
      String eventId, String orderId, long version, Instant at, String consumerId, long cents)
      implements OrderEvent {}

  /**
   * The order was called off, and what it had cost was paid back.
   *
   * @param eventId the event's own id
   * @param orderId which order
   * @param version the order's new version
   * @param at when
   * @param consumerId who ordered
   * @param refund what was paid back, in cents
   */
  record OrderCancelled(
      String eventId, String orderId, long version, Instant at, String consumerId, long refund)
      implements OrderEvent {}
}
