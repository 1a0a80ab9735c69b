package shop;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("The consumers of docs/start.md apply what comes early or twice once")
class ConsumersTest {
  private static final Context NO_CONTEXT =
      (Context)
          Proxy.newProxyInstance(
              Context.class.getClassLoader(),
              new Class<?>[] {Context.class},
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              });

  @SuppressWarnings("NullAway.Init")
  private static AmazonDynamoDBLocal server;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbClient client;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbEntityStore<Order> orders;

  private final String orderId = UUID.randomUUID().toString();
  private final String placed =
      "{\"type\":\"Placed\",\"orderId\":\"%s\",\"version\":1,\"cents\":100}".formatted(orderId);
  private final String paid =
      "{\"type\":\"Paid\",\"orderId\":\"%s\",\"version\":2,\"fee\":25}".formatted(orderId);

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    client = server.dynamoDbClient();
    DynamoDbTable<Order> table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .build()
            .table("orders", TableSchema.fromBean(Order.class));
    table.createTable();
    orders = DynamoDbEntityStore.of(client, table);
  }

  @AfterAll
  static void stop() {
    server.shutdown();
  }

  private void check() {
    Order order = orders.find(key(orderId)).orElseThrow();
    assertEquals("PAID", order.getStatus());
    assertEquals(125, order.getTotal());
  }

  @Test
  @DisplayName("from Kafka")
  void kafka() throws Exception {
    TopicPartition partition = new TopicPartition("orders-" + UUID.randomUUID(), 0);
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            EmbeddedKafka.shared().bootstrapServers(),
            "group.id",
            partition.topic(),
            "enable.auto.commit",
            false);
    try (Admin admin = Admin.create(settings)) {
      var unused =
          admin.createTopics(List.of(new NewTopic(partition.topic(), 1, (short) 1))).all().get();
    }
    try (var producer =
            new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        var consumer =
            new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      KafkaOrders loop = new KafkaOrders(consumer, OrderProjector.into(orders));
      var first = producer.send(new ProducerRecord<>(partition.topic(), orderId, paid)).get();
      assertEquals(0, first.offset());
      polledUntil(loop, consumer, partition, 0); // version 1 is missing
      assertFalse(orders.find(key(orderId)).isPresent());
      for (String next : List.of(placed, paid, paid)) {
        var unused = producer.send(new ProducerRecord<>(partition.topic(), orderId, next)).get();
      }
      polledUntil(loop, consumer, partition, 4);
    }
    check();
  }

  private static void polledUntil(
      KafkaOrders loop, KafkaConsumer<?, ?> consumer, TopicPartition partition, long committed) {
    Await.until(
        "offset " + committed + " is committed",
        () -> {
          loop.poll();
          OffsetAndMetadata offset = consumer.committed(Set.of(partition)).get(partition);
          return offset != null && offset.offset() == committed;
        });
  }

  @Test
  @DisplayName("from SQS")
  void sqs() {
    LocalQueue queue = LocalQueue.fresh("", Duration.ofSeconds(1));
    SqsOrders loop = new SqsOrders(queue.client(), queue.url(), OrderProjector.into(orders));
    queue.send(paid, orderId);
    loop.receive();
    assertEquals(1, queue.size(), "version 1 is missing, so version 2 comes again");
    queue.send(placed, orderId);
    queue.send(paid, orderId);
    Await.until(
        "all are deleted",
        () -> {
          loop.receive();
          return queue.size() == 0;
        });
    check();
  }

  private static SQSEvent event(String... bodies) {
    SQSEvent event = new SQSEvent();
    event.setRecords(
        Arrays.stream(bodies)
            .map(
                body -> {
                  SQSEvent.SQSMessage message = new SQSEvent.SQSMessage();
                  message.setMessageId("message of " + body);
                  message.setBody(body);
                  return message;
                })
            .toList());
    return event;
  }

  private static List<String> failures(SQSBatchResponse response) {
    return response.getBatchItemFailures().stream()
        .map(SQSBatchResponse.BatchItemFailure::getItemIdentifier)
        .toList();
  }

  @Test
  @DisplayName("in a Lambda function")
  void lambda() {
    OrdersFunction function = new OrdersFunction(client);
    assertEquals(
        List.of("message of " + paid), failures(function.handleRequest(event(paid), NO_CONTEXT)));
    assertEquals(
        List.of(), failures(function.handleRequest(event(paid, placed, paid), NO_CONTEXT)));
    check();
  }
}
