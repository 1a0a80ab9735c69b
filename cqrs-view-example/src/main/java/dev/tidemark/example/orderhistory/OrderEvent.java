package dev.tidemark.example.orderhistory;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * What happened to an order. The version counts the events of one order from 1: it is the place of
 * the event in its source, whatever topic, partition or queue it travels through.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = OrderEvent.OrderPlaced.class, name = "OrderPlaced"),
  @JsonSubTypes.Type(value = OrderEvent.LineAdded.class, name = "LineAdded"),
  @JsonSubTypes.Type(value = OrderEvent.OrderPaid.class, name = "OrderPaid"),
  @JsonSubTypes.Type(value = OrderEvent.OrderShipped.class, name = "OrderShipped"),
  @JsonSubTypes.Type(value = OrderEvent.OrderDelivered.class, name = "OrderDelivered"),
  @JsonSubTypes.Type(value = OrderEvent.OrderCancelled.class, name = "OrderCancelled")
})
public sealed interface OrderEvent {

  /**
   * Which order.
   *
   * @return the aggregate's id
   */
  String orderId();

  /**
   * The version that the event gave the order.
   *
   * @return 1 for the first event
   */
  long version();

  /**
   * An order was opened.
   *
   * @param orderId which order
   * @param version always 1
   * @param customer who ordered
   */
  record OrderPlaced(String orderId, long version, String customer) implements OrderEvent {}

  /**
   * A line was added to an order.
   *
   * @param orderId which order
   * @param version the order's new version
   * @param sku what was ordered
   * @param quantity how many
   * @param cents the price of all of them
   */
  record LineAdded(String orderId, long version, String sku, int quantity, long cents)
      implements OrderEvent {}

  /**
   * A payment arrived; an order may be paid in parts.
   *
   * @param orderId which order
   * @param version the order's new version
   * @param cents how much
   */
  record OrderPaid(String orderId, long version, long cents) implements OrderEvent {}

  /**
   * The parcel left.
   *
   * @param orderId which order
   * @param version the order's new version
   * @param parcel the carrier's number of the parcel
   */
  record OrderShipped(String orderId, long version, String parcel) implements OrderEvent {}

  /**
   * The parcel arrived.
   *
   * @param orderId which order
   * @param version the order's new version
   */
  record OrderDelivered(String orderId, long version) implements OrderEvent {}

  /**
   * The order was called off; what had been paid is paid back.
   *
   * @param orderId which order
   * @param version the order's new version
   * @param reason why
   */
  record OrderCancelled(String orderId, long version, String reason) implements OrderEvent {}
}
