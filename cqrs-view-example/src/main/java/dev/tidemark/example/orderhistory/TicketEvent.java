package dev.tidemark.example.orderhistory;

import java.time.Instant;

/** What happened to the restaurant's ticket of an order. */
public sealed interface TicketEvent extends Event {
  /**
   * Which ticket.
   *
   * @return the ticket's id
   */
  String ticketId();

  @Override
  default String aggregateType() {
    return "Ticket";
  }

  @Override
  default String aggregateId() {
    return ticketId();
  }

  /**
   * The restaurant took the order on.
   *
   * @param eventId the event's own id
   * @param ticketId which ticket
   * @param version the ticket's new version
   * @param at when
   * @param orderId which order
   */
  record TicketAccepted(String eventId, String ticketId, long version, Instant at, String orderId)
      implements TicketEvent {}

  /**
   * The meal is cooked.
   *
   * @param eventId the event's own id
   * @param ticketId which ticket
   * @param version the ticket's new version
   * @param at when
   * @param orderId which order
   */
  // snippet: first-event
  record MealReady(String eventId, String ticketId, long version, Instant at, String orderId)
      implements TicketEvent {}
  // end
}
