// snippet: spring-test
package shop;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import dev.tidemark.EntityStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class OrdersApplicationTest {
  private static final DynamoDbClient STORE = // DynamoDB Local, in this JVM
      DynamoDBEmbedded.create().dynamoDbClient();

  @TestConfiguration(proxyBeanMethods = false)
  static class Local {
    @Bean(destroyMethod = "") // the table outlives a context
    DynamoDbClient dynamoDb() {
      return STORE;
    }

    @Bean // not needed beside Actuator, which makes one
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  record Beans(
      KafkaTemplate<Object, Object> kafka,
      EntityStore<CustomerView> customers,
      MeterRegistry meters) {
    void send(String... values) {
      for (String value : values) {
        kafka.send("orders", "c1", value).join();
      }
    }

    void await(int orders, int deadLetters) {
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> customers.find(key("c1")).map(CustomerView::getOrders).orElse(0) == orders);
      var dead = meters.get("tidemark.intake.messages").tags("intake", "orders", "fate", "dead");
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> dead.counter().count() == deadLetters);
    }
  }

  private static ConfigurableApplicationContext run(EmbeddedKafkaKraftBroker broker, String group) {
    return new SpringApplicationBuilder(OrdersApplication.class, Local.class, Beans.class)
        .profiles("test")
        .web(WebApplicationType.NONE)
        .run(
            "--spring.kafka.bootstrap-servers=" + broker.getBrokersAsString(),
            "--spring.kafka.consumer.group-id=" + group);
  }

  @Test
  void eachEventCountsOnceAndWhatCannotBeReadIsKept() {
    DynamoDbEnhancedClient.builder()
        .dynamoDbClient(STORE)
        .build()
        .table("customers", TableSchema.fromBean(CustomerView.class))
        .createTable();
    EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1, "orders", "orders-dlt");
    broker.afterPropertiesSet();
    try {
      String about = "\"customerId\":\"c1\",\"at\":\"2026-11-24T10:00:0%dZ\"";
      String first =
          "{\"type\":\"Placed\",\"eventId\":\"e1\",\"cents\":2500," + about.formatted(1) + "}";
      String cancelled = "{\"type\":\"Cancelled\",\"eventId\":\"e2\"," + about.formatted(4) + "}";
      String second =
          "{\"type\":\"Placed\",\"eventId\":\"e3\",\"cents\":500," + about.formatted(3) + "}";
      String third =
          "{\"type\":\"Placed\",\"eventId\":\"e4\",\"cents\":10," + about.formatted(2) + "}";
      String noAmount = first.replace("\"cents\":2500,", "").replace("e1", "e5");
      String noCustomer = first.replace("\"c1\"", "null").replace("e1", "e6");
      String halfCent = first.replace("2500", "2500.5").replace("e1", "e7");
      String text = first.replace("2500", "\"2500\"").replace("e1", "e8");
      try (var context = run(broker, "customers")) {
        Beans beans = context.getBean(Beans.class);
        beans.send(first, "no event", "null", first, noCustomer, cancelled, noAmount);
        beans.send(halfCent, text, second);
        beans.await(2, 6);
      }
      try (var context = run(broker, "another")) { // reads the topic from its beginning
        Beans beans = context.getBean(Beans.class);
        beans.send(third);
        beans.await(3, 6); // what cannot be read is kept once more
        CustomerView row = beans.customers().find(key("c1")).orElseThrow();
        assertEquals(List.of(3010L, "CANCELLED"), List.<Object>of(row.getCents(), row.getLast()));
      }
    } finally {
      broker.destroy();
    }
  }
}
// end
