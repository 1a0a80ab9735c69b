package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.OptBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.InjectableValues;
import tools.jackson.databind.json.JsonMapper;

/** Events whose customer is the key of their record. */
class KeyedEventTest {
  // snippet: spring-key
  record OrderEvent(
      String eventId,
      @JacksonInject(value = "key", useInput = OptBoolean.FALSE) String customerId) {}

  static OrderEvent read(JsonMapper json, ConsumerRecord<String, String> record) {
    InjectableValues key = new InjectableValues.Std().addValue("key", record.key());
    return json.reader(key).forType(OrderEvent.class).readValue(record.value());
  }

  // end

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES).build();

  private static ConsumerRecord<String, String> record(String value) {
    return record("c1", value);
  }

  @SuppressWarnings("NullAway") // Kafka's keys may be null, and its constructor does not say so
  private static ConsumerRecord<String, String> record(@Nullable String key, String value) {
    return new ConsumerRecord<>("orders", 0, 0, key, value);
  }

  @Test
  void theKeyOfTheRecordIsTheCustomer() {
    assertEquals(new OrderEvent("e1", "c1"), read(JSON, record("{\"eventId\":\"e1\"}")));
  }

  @Test
  void theKeyWinsOverTheBody() {
    String both = "{\"eventId\":\"e1\",\"customerId\":\"c2\"}";
    assertEquals(new OrderEvent("e1", "c1"), read(JSON, record(both)));
    assertThrows(JacksonException.class, () -> read(JSON, record(null, both)));
  }

  @Test
  void whatCannotBeReadIsNoEvent() {
    assertThrows(JacksonException.class, () -> read(JSON, record("no event")));
    assertThrows(JacksonException.class, () -> read(JSON, record("{}")));
  }
}
