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
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.springframework.kafka.test.utils.KafkaTestUtils;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class OrdersApplicationTest {
  @TestConfiguration(proxyBeanMethods = false)
  static class Local {
    @Bean
    DynamoDbClient dynamoDb() { // DynamoDB Local, in this JVM
      DynamoDbClient client = DynamoDBEmbedded.create().dynamoDbClient();
      DynamoDbEnhancedClient.builder()
          .dynamoDbClient(client)
          .build()
          .table("customers", TableSchema.fromBean(CustomerView.class))
          .createTable();
      return client;
    }

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }
  }

  record Beans(
      KafkaTemplate<Object, Object> kafka,
      EntityStore<CustomerView> customers,
      MeterRegistry meters) {}

  @Test
  void eachOrderCountsOnceAndWhatCannotBeReadIsKept() {
    EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1, "orders", "orders-dlt");
    broker.afterPropertiesSet();
    try (var context =
            new SpringApplicationBuilder(OrdersApplication.class, Local.class, Beans.class)
                .web(WebApplicationType.NONE)
                .properties(
                    "spring.kafka.bootstrap-servers=" + broker.getBrokersAsString(),
                    "spring.kafka.consumer.group-id=customers")
                .run();
        var letters =
            new KafkaConsumer<>(
                KafkaTestUtils.consumerProps(broker, "test", true),
                new StringDeserializer(),
                new StringDeserializer())) {
      Beans beans = context.getBean(Beans.class);
      String first = "{\"eventId\":\"e1\",\"customerId\":\"c1\",\"cents\":2500}";
      String noCustomer = "{\"eventId\":\"e2\",\"cents\":100}";
      String last = "{\"eventId\":\"e3\",\"customerId\":\"c1\",\"cents\":500}";
      for (String value : List.of(first, "no event", first, noCustomer, last)) {
        beans.kafka().send("orders", "c1", value).join();
      }
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () -> beans.customers().find(key("c1")).map(CustomerView::getOrders).orElse(0) == 2);
      assertEquals(3000, beans.customers().find(key("c1")).orElseThrow().getCents());

      broker.consumeFromAnEmbeddedTopic(letters, "orders-dlt");
      var kept = KafkaTestUtils.getRecords(letters, Duration.ofMinutes(2), 2);
      assertEquals(2, kept.count());
      var dead =
          beans.meters().get("tidemark.intake.messages").tags("intake", "orders", "fate", "dead");
      assertEquals(2, dead.counter().count());
    } finally {
      broker.destroy();
    }
  }
}
// end
