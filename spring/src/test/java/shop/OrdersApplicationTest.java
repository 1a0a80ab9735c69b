// snippet: spring-test
package shop;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.EntityStore;
import dev.tidemark.spring.AutoConfigureLocalDynamoDb;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.test.context.EmbeddedKafka;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@EmbeddedKafka(
    partitions = 1,
    topics = {"orders", "orders-dlt"},
    bootstrapServersProperty = "spring.kafka.bootstrap-servers")
@AutoConfigureLocalDynamoDb // in this JVM, with the table
class OrdersApplicationTest {
  @Test
  void eachEventCountsOnceAndWhatCannotBeReadIsKept(
      @Autowired KafkaTemplate<String, String> kafka,
      @Autowired EntityStore<CustomerView> customers,
      @Autowired MeterRegistry meters) {
    List<String> unreadable =
        List.of(
            "no event",
            "null",
            placed("e5", 1, "1").replace("\"cents\":1,", ""),
            placed("e6", 1, "1").replace("\"c1\"", "null"),
            placed("e7", 1, "2500.5"),
            placed("e8", 1, "\"2500\""));
    List<String> values = new ArrayList<>(unreadable);
    for (int delivery = 0; delivery < 2; delivery++) {
      values.add(placed("e1", 1, "2500"));
      values.add(placed("e2", 4, "0").replace("Placed", "Cancelled"));
      values.add(placed("e3", 3, "500")); // of an earlier time than the cancellation
    }
    values.add(placed("e4", 2, "10"));
    values.forEach(value -> kafka.send("orders", "c1", value).join());

    var dead = meters.get("tidemark.intake.messages").tags("intake", "orders", "fate", "dead");
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(
            () -> {
              CustomerView row = customers.find(key("c1")).orElseGet(CustomerView::new);
              assertEquals(3, row.getOrders());
              assertEquals(3010, row.getCents());
              assertEquals("CANCELLED", row.getLast());
              assertEquals(unreadable.size(), dead.counter().count());
            });
  }

  private static String placed(String id, int second, String cents) {
    return """
        {"type":"Placed","eventId":"%s","cents":%s,"customerId":"c1","at":"2026-11-24T10:00:0%dZ"}"""
        .formatted(id, cents, second);
  }
}
// end
