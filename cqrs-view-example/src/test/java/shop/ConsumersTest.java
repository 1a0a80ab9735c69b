package shop;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import dev.tidemark.aws.SqsIntake;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeListener;
import dev.tidemark.intake.Taken;
import dev.tidemark.lambda.SqsBatch;
import dev.tidemark.mongodb.ChangeStreamIntake;
import dev.tidemark.mongodb.MongoDeadLetters;
import dev.tidemark.mongodb.StreamedChange;
import dev.tidemark.projector.Projector;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

  private final List<String> told = new ArrayList<>();
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
    String topic = "orders-" + UUID.randomUUID();
    String dead = topic + "-dead-letters";
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            EmbeddedKafka.shared().bootstrapServers(),
            "group.id",
            topic,
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            false);
    try (Admin admin = Admin.create(settings);
        var producer =
            new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      var unused =
          admin
              .createTopics(
                  Stream.of(topic, dead).map(name -> new NewTopic(name, 1, (short) 1)).toList())
              .all()
              .get();
      var loop = new KafkaOrders(OrderProjector.into(orders), producer).loop(topic, settings);
      Thread thread = new Thread(loop);
      thread.start();
      send(producer, topic, paid);
      Await.until("version 2 waits for version 1", () -> !loop.paused().isEmpty());
      assertFalse(orders.find(key(orderId)).isPresent());
      send(producer, topic, placed, "no event", paid);
      Await.until("all are committed", () -> committed(admin, topic) == 4);
      loop.stop();
      thread.join();
      assertEquals(1, end(admin, dead));
    }
    check();
  }

  private void send(Producer<String, String> producer, String topic, String... values)
      throws Exception {
    for (String value : values) {
      var unused = producer.send(new ProducerRecord<>(topic, orderId, value)).get();
    }
  }

  private static long committed(Admin admin, String topic) {
    OffsetAndMetadata offset =
        ended(admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata())
            .get(new TopicPartition(topic, 0));
    return offset == null ? 0 : offset.offset();
  }

  private static long end(Admin admin, String topic) {
    TopicPartition only = new TopicPartition(topic, 0);
    return ended(admin.listOffsets(Map.of(only, OffsetSpec.latest())).partitionResult(only))
        .offset();
  }

  private static <T> T ended(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("from SQS")
  void sqs() throws Exception {
    LocalQueue queue = LocalQueue.fresh("", Duration.ofSeconds(30));
    LocalQueue dead = LocalQueue.fresh("", Duration.ofSeconds(30));
    SqsOrders consumer = new SqsOrders(OrderProjector.into(orders), queue.client());
    SqsIntake intake = consumer.queue(queue.url(), dead.url()).longPoll(Duration.ofSeconds(1));
    for (String body : List.of(paid, "no event", placed, paid)) {
      queue.send(body, orderId);
    }
    Thread worker = new Thread(intake);
    worker.start();
    Await.until("all are deleted", () -> queue.size() == 0);
    intake.stop();
    worker.join();
    assertEquals(1, dead.size());
    check();
  }

  @Test
  @DisplayName("from a change stream of MongoDB")
  void changeStream() throws Exception {
    try (MongoClient mongo = MongoClients.create(LocalStore.mongo().uri())) {
      MongoDatabase shop = mongo.getDatabase(LocalStore.freshName());
      MongoCollection<Document> events = shop.getCollection("events");
      StreamedOrders consumer = new StreamedOrders(OrderProjector.into(orders), mongo, shop);
      insert(events, "paid", paid);
      ChangeStreamIntake stream = consumer.stream();
      Thread thread = new Thread(stream);
      thread.start();
      Await.until("version 2 waits for version 1", () -> stream.held().isPresent());
      assertFalse(orders.find(key(orderId)).isPresent());
      insert(events, "bad", "no event");
      insert(events, "placed", placed);
      insert(events, "again", paid);
      Await.until("all is done", () -> isPaid() && stream.held().isEmpty());
      MongoCollection<Document> letters = shop.getCollection("dead-letters");
      Await.until("one is dead", () -> letters.countDocuments() == 1);
      stream.stop();
      thread.join();
      Intake<StreamedChange> intake = consumer.intake();
      // snippet: change-stream-redrive
      MongoDeadLetters kept = MongoDeadLetters.of(letters, "orders");
      MongoDeadLetters.Redriven redriven = kept.redrive(events, intake);
      // end
      assertEquals(new MongoDeadLetters.Redriven(0, 1), redriven);
    }
    check();
  }

  private static void insert(MongoCollection<Document> events, String id, String event) {
    var unused = events.insertOne(new Document("_id", id).append("event", event));
  }

  private boolean isPaid() {
    return orders.find(key(orderId)).filter(order -> order.getStatus().equals("PAID")).isPresent();
  }

  private SQSEvent event(String... bodies) {
    SQSEvent event = new SQSEvent();
    event.setRecords(
        Arrays.stream(bodies)
            .map(
                body -> {
                  SQSMessage message = new SQSMessage();
                  message.setMessageId(body.equals(paid) ? "paid" : "placed");
                  message.setEventSourceArn("arn:aws:sqs:eu-central-1:000000000000:orders");
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{'type':'Paid','orderId':'o','version':2}",
        "{'type':'Paid','orderId':'o','version':2,'fee':null}",
        "{'type':'Paid','orderId':'o','version':2,'fee':'25'}",
        "{'type':'Paid','orderId':'o','version':2,'fee':25.9}",
        "{'type':'Paid','orderId':'o','version':2.7,'fee':25}",
        "{'type':'Paid','orderId':null,'version':2,'fee':25}",
        "{'type':'Paid','orderId':'o','version':2,'fee':25} and more"
      })
  @DisplayName("and know what is no event")
  void noEvent(String text) {
    String event = text.replace('\'', '"');
    assertThrows(IllegalArgumentException.class, () -> OrderEvent.parse(event));
  }

  @Test
  @DisplayName("and read an event that has got a field more")
  void newField() {
    String event = paid.replace("}", ",\"currency\":\"EUR\"}");
    assertEquals(OrderEvent.parse(paid), OrderEvent.parse(event));
  }

  @Test
  @DisplayName("in a Lambda function over MongoDB")
  void lambdaOnMongo() {
    try (MongoClient mongo = MongoClients.create(LocalStore.mongo().uri())) {
      OrderRowsFunction function = new OrderRowsFunction(mongo);
      assertEquals(List.of("paid"), failures(function.handleRequest(event(paid), NO_CONTEXT)));
      assertEquals(List.of(), failures(function.handleRequest(event(paid, placed), NO_CONTEXT)));
      Document row =
          mongo.getDatabase("shop").getCollection("orders").find(Filters.eq(orderId)).first();
      assertEquals(125L, Objects.requireNonNull(row).getLong("total"));
    }
  }

  @Test
  @DisplayName("in a Lambda function, and tell why a message comes again")
  void why() {
    Projector<Order> projector = OrderProjector.into(orders);
    SqsBatch batch =
        SqsBatch.of(
            message -> OrderEvent.parse(message.getBody()).delivery(),
            projector::handle,
            intake -> intake.listener(IntakeListener.logEachBatch().and(this::tell)));
    assertEquals(List.of("paid"), failures(batch.handle(event(paid))));
    assertEquals(List.of("paid: Gap"), told);
  }

  // snippet: start-why
  private void tell(Taken<?> taken) { // by the listener
    for (Taken.Fate<?> fate : taken.fates()) { // one for each message; no reason if it is done
      if (fate.message() instanceof SQSMessage message && !fate.reason().isEmpty()) {
        told.add(message.getMessageId() + ": " + fate.reason());
      }
    }
  }

  // end

  @Test
  @DisplayName("in a Lambda function")
  void lambda() {
    OrdersFunction function = new OrdersFunction(client);
    assertEquals(List.of("paid"), failures(function.handleRequest(event(paid), NO_CONTEXT)));
    assertEquals(List.of(), failures(function.handleRequest(event(paid, placed), NO_CONTEXT)));
    check();
  }
}
