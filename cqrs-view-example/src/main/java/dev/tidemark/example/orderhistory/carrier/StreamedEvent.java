package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.projector.Delivery;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A document of the collection of events. */
final class StreamedEvent {
  private final Document document;
  private final @Nullable String before;
  private final @Nullable Event event;
  private final String fault;

  /**
   * Reads a document.
   *
   * @param document {@code {_id: event id, event: the event as JSON}}
   * @param before the token up to which everything comes before it; null where none says that
   */
  StreamedEvent(Document document, @Nullable String before) {
    this.document = document;
    this.before = before;
    Event read = null;
    String why = "";
    try {
      read = read(document);
    } catch (IllegalArgumentException e) {
      why = String.valueOf(e.getMessage());
    }
    event = read;
    fault = why;
  }

  private static Event read(Document document) {
    if (document.get("event") instanceof String json
        && EventJson.decode(json) instanceof Event event) {
      return event;
    }
    throw new IllegalArgumentException("not an event: the field event is no text of one");
  }

  Document document() {
    return document;
  }

  @Nullable String before() {
    return before;
  }

  /** The version of its aggregate; 0 if it cannot be read. */
  long version() {
    return event == null ? 0 : event.version();
  }

  /** The event in it; throws {@code IllegalArgumentException} if there is none. */
  Delivery delivery() {
    if (event == null) {
      throw new IllegalArgumentException(fault);
    }
    return event.delivery();
  }
}
