package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import shop.CustomerView;
import shop.OrdersApplication;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The application of the page")
final class StartTest {
  /** What Spring Boot and Spring Cloud AWS make in an application. */
  @Configuration(proxyBeanMethods = false)
  static class Made {
    @Bean(destroyMethod = "")
    DynamoDbClient dynamoDb() {
      return Servers.dynamoDb();
    }

    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @Bean
    JsonMapper json() {
      return new JsonMapper();
    }
  }

  private static void createTable() {
    Servers.dynamoDb()
        .createTable(
            create ->
                create
                    .tableName("customers")
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(
                        KeySchemaElement.builder()
                            .attributeName("id")
                            .keyType(KeyType.HASH)
                            .build())
                    .attributeDefinitions(
                        AttributeDefinition.builder()
                            .attributeName("id")
                            .attributeType(ScalarAttributeType.S)
                            .build()));
  }

  private static String placed(String id, String customer, int cents) {
    return "{\"eventId\":\"%s\",\"customerId\":\"%s\",\"cents\":%d}".formatted(id, customer, cents);
  }

  @Test
  @DisplayName("counts each order once, and keeps what it cannot read")
  void runs() throws Exception {
    createTable();
    EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
    broker.afterPropertiesSet();
    String bootstrap = broker.getBrokersAsString();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      var topics =
          List.of(new NewTopic("orders", 1, (short) 1), new NewTopic("orders-dlt", 1, (short) 1));
      admin.createTopics(topics).all().get();
    }
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(OrdersApplication.class, Made.class)
            .web(WebApplicationType.NONE)
            .properties(
                "spring.kafka.bootstrap-servers=" + bootstrap,
                "spring.kafka.consumer.group-id=customers")
            .run()) {
      KafkaTemplate<String, String> template =
          context
              .<KafkaTemplate<String, String>>getBeanProvider(
                  ResolvableType.forClassWithGenerics(
                      KafkaTemplate.class, Object.class, Object.class))
              .getObject();
      for (String value :
          List.of(
              placed("e1", "c1", 2500),
              "no event",
              placed("e1", "c1", 2500),
              placed("e2", "c1", 500))) {
        template.send("orders", "c1", value).get();
      }
      EntityStore<CustomerView> store =
          context
              .<EntityStore<CustomerView>>getBeanProvider(
                  ResolvableType.forClassWithGenerics(EntityStore.class, CustomerView.class))
              .getObject();
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  store
                      .find(EntityKey.key("c1"))
                      .filter(customer -> customer.getOrders() == 2)
                      .isPresent());
      assertThat(store.find(EntityKey.key("c1")).orElseThrow().getCents()).isEqualTo(3000);
      assertThat(letters(bootstrap)).containsExactly("no event");
      assertThat(messages(context.getBean(MeterRegistry.class), "done")).isEqualTo(3);
      assertThat(messages(context.getBean(MeterRegistry.class), "dead")).isOne();
    } finally {
      broker.destroy();
    }
  }

  private static double messages(MeterRegistry meters, String fate) {
    return meters
        .get("tidemark.intake.messages")
        .tags("intake", "orders", "fate", fate)
        .counter()
        .count();
  }

  private static List<String> letters(String bootstrap) {
    TopicPartition partition = new TopicPartition("orders-dlt", 0);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrap),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      List<ConsumerRecord<String, String>> records = new ArrayList<>();
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records.stream().map(ConsumerRecord::value).toList();
    }
  }
}
