// snippet: spring-event
package shop;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.projector.Delivery;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.json.JsonMapper;

@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = OrderEvent.Placed.class, name = "Placed"),
  @JsonSubTypes.Type(value = OrderEvent.Cancelled.class, name = "Cancelled")
})
public sealed interface OrderEvent {
  String eventId();

  String customerId();

  Instant at();

  record Placed(String eventId, String customerId, Instant at, long cents) implements OrderEvent {}

  record Cancelled(String eventId, String customerId, Instant at) implements OrderEvent {}

  default EntityKey row() {
    return EntityKey.key(customerId());
  }

  static Delivery delivery(JsonMapper json, ConsumerRecord<String, String> record) {
    OrderEvent event = json.readValue(record.value(), OrderEvent.class);
    if (event == null || !event.customerId().matches(".{1,100}")) { // "null", or nobody's
      throw new IllegalArgumentException("an event without a customer");
    }
    return Delivery.of(MessageId.of(event.eventId()), event);
  }
}
// end
