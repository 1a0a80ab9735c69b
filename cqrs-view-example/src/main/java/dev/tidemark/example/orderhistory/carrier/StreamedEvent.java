package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.Delivery;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A document of the collection of events.
 *
 * @param document {@code {_id: event id, event: the event as JSON}}
 * @param before the token up to which everything comes before it; null where none can say that
 */
record StreamedEvent(Document document, @Nullable String before) {
  /** The event in it; throws {@code IllegalArgumentException} if there is none. */
  Delivery delivery() {
    if (document.get("event") instanceof String json) {
      Event event = EventJson.decode(json);
      return Delivery.of(event.place(), event);
    }
    throw new IllegalArgumentException("not an event: the field event is not a string");
  }
}
