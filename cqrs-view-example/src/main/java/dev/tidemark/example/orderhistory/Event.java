package dev.tidemark.example.orderhistory;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.projector.Delivery;

/**
 * What happened to an order, to the restaurant's ticket of it, or to its delivery. Each of the
 * three aggregates counts its own events from 1 and sends them through a topic of its own, so that
 * events of different aggregates arrive in any order. An event names itself twice: by its place in
 * its aggregate, and by an id of its own.
 */
public sealed interface Event extends Incoming permits OrderEvent, TicketEvent, DeliveryEvent {

  /**
   * The event's own id, given by its producer.
   *
   * @return a UUID, the same however often the event is sent
   */
  String eventId();

  /**
   * The version that the event gave its aggregate.
   *
   * @return 1 for the first event
   */
  long version();

  /**
   * Which order it is about.
   *
   * @return the order's id
   */
  String orderId();

  /**
   * The type of the aggregate: {@code Order}, {@code Ticket} or {@code Delivery}.
   *
   * @return the first part of the source
   */
  @JsonIgnore
  String aggregateType();

  /**
   * Which aggregate of that type.
   *
   * @return the second part of the source
   */
  @JsonIgnore
  String aggregateId();

  /**
   * The event's place in its aggregate: what identifies it to an entity that gets every event of
   * the aggregate.
   *
   * @return the same whatever carries the event
   */
  @JsonIgnore
  default SourceEvent place() {
    return SourceEvent.of(aggregateType(), aggregateId(), version());
  }

  /**
   * The event's id as a message: what identifies it to an entity that gets some events of very many
   * aggregates, and so cannot keep a mark for each.
   *
   * @return the same whatever carries the event
   */
  @JsonIgnore
  default MessageId message() {
    return MessageId.of(eventId()).sentAt(at());
  }

  @Override
  default Delivery delivery() {
    return Delivery.of(place(), this);
  }
}
