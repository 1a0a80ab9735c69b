// snippet: start-event
package shop;

import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES;
import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
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

  default Delivery delivery() {
    return Delivery.of(SourceEvent.of("Order", orderId(), version()), this);
  }

  ObjectReader JSON = // an event without its amount is no event, and not one of 0
      JsonMapper.builder()
          .enable(FAIL_ON_MISSING_CREATOR_PROPERTIES, FAIL_ON_NULL_FOR_PRIMITIVES)
          .build()
          .readerFor(OrderEvent.class);

  static OrderEvent parse(String json) {
    try {
      return JSON.readValue(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not an event", e);
    }
  }
}
// end
