package shop;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.EntityStore;
import dev.tidemark.spring.AutoConfigureLocalDynamoDb;
import dev.tidemark.spring.KafkaIntakeListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.test.context.EmbeddedKafka;

@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = "spring.application.name=replay") // a context, and so a broker, of its own
@EmbeddedKafka(
    partitions = 1,
    topics = {"orders", "orders-dlt"},
    bootstrapServersProperty = "spring.kafka.bootstrap-servers")
@AutoConfigureLocalDynamoDb
@DisplayName("A topic that a group without offsets reads")
class OrdersReplayTest {
  private static final String EVENT =
      """
      {"type":"Placed","eventId":"r1","cents":5,"customerId":"c2","at":"2026-11-24T10:00:00Z"}""";

  @Test
  @DisplayName("is read from its beginning, changes nothing, and has its dead letters kept again")
  void again(
      @Autowired KafkaTemplate<String, String> kafka,
      @Autowired EntityStore<CustomerView> customers,
      @Autowired MeterRegistry meters,
      @Autowired KafkaIntakeListener<String, String> orders,
      @Autowired @Qualifier(KafkaIntakeListener.FACTORY)
          ConcurrentKafkaListenerContainerFactory<?, ?> factory) {
    kafka.send("orders", "c2", EVENT).join();
    kafka.send("orders", "c2", "no event").join();
    var dead = meters.get("tidemark.intake.messages").tags("intake", "orders", "fate", "dead");
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              CustomerView row = customers.find(key("c2")).orElseGet(CustomerView::new);
              assertEquals(5, row.getCents());
              assertEquals(1, dead.counter().count());
            });
    var container = factory.createContainer("orders");
    container.getContainerProperties().setGroupId("another");
    container.getContainerProperties().setMessageListener(listener(orders));
    container.start();
    try {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> assertEquals(2, dead.counter().count()));
    } finally {
      container.stop();
    }
    CustomerView row = customers.find(key("c2")).orElseThrow();
    assertEquals(5, row.getCents());
    assertEquals(1, row.getOrders());
  }

  private static BatchMessageListener<String, String> listener(
      KafkaIntakeListener<String, String> orders) {
    return orders::take;
  }
}
