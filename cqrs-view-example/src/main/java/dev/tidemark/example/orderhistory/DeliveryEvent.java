package dev.tidemark.example.orderhistory;

import java.time.Instant;

/** What happened to the delivery of an order. */
public sealed interface DeliveryEvent extends Event {
  /**
   * Which delivery.
   *
   * @return the delivery's id
   */
  String deliveryId();

  @Override
  default String aggregateType() {
    return "Delivery";
  }

  @Override
  default String aggregateId() {
    return deliveryId();
  }

  /**
   * A courier will bring the meal; another one may take over.
   *
   * @param eventId the event's own id
   * @param deliveryId which delivery
   * @param version the delivery's new version
   * @param at when
   * @param orderId which order
   * @param courier who
   */
  record CourierAssigned(
      String eventId, String deliveryId, long version, Instant at, String orderId, String courier)
      implements DeliveryEvent {}

  /**
   * The courier has the meal.
   *
   * @param eventId the event's own id
   * @param deliveryId which delivery
   * @param version the delivery's new version
   * @param at when
   * @param orderId which order
   */
  record MealPickedUp(String eventId, String deliveryId, long version, Instant at, String orderId)
      implements DeliveryEvent {}

  /**
   * The consumer has the meal.
   *
   * @param eventId the event's own id
   * @param deliveryId which delivery
   * @param version the delivery's new version
   * @param at when
   * @param orderId which order
   */
  record MealDelivered(String eventId, String deliveryId, long version, Instant at, String orderId)
      implements DeliveryEvent {}
}
