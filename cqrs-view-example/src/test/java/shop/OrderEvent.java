// snippet: start-event
package shop;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.EntityKey;
import dev.tidemark.SourceEvent;
import dev.tidemark.projector.Delivery;

@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = OrderEvent.Placed.class, name = "Placed"),
  @JsonSubTypes.Type(value = OrderEvent.Paid.class, name = "Paid")
})
public sealed interface OrderEvent {
  String orderId();

  long version(); // of the order: 1, 2, 3, …

  record Placed(String orderId, long version, long cents) implements OrderEvent {}

  record Paid(String orderId, long version, long fee) implements OrderEvent {}

  default EntityKey row() {
    return EntityKey.key(orderId());
  }

  default Delivery delivery() {
    return Delivery.of(SourceEvent.of("Order", orderId(), version()), this);
  }

  // Each field is there, and numbers are whole. A new field is no harm, nor a number for a text.
  ObjectReader JSON =
      JsonMapper.builder()
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(
              DeserializationFeature.ACCEPT_FLOAT_AS_INT,
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build()
          .readerFor(OrderEvent.class);

  static OrderEvent parse(String json) {
    try {
      OrderEvent event = JSON.readValue(json);
      if (event != null) {
        return event;
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not an event", e);
    }
    throw new IllegalArgumentException("null is no event");
  }
}
// end
