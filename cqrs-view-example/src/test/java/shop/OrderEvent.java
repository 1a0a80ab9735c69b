// snippet: start-event
package shop;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
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

  static OrderEvent parse(String json) {
    try {
      return new ObjectMapper().readValue(json, OrderEvent.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not an event", e);
    }
  }
}
// end
