package dev.tidemark.example.orderhistory.infra;

import static dev.tidemark.EntityKey.key;
import static dev.tidemark.NotBefore.notBefore;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.tidemark.Freshness;
import dev.tidemark.aws.CloudWatchLines;
import dev.tidemark.aws.SqsDeadLetters;
import dev.tidemark.aws.SqsSender;
import dev.tidemark.example.orderhistory.ConsumerSpending;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.host.StatusRelays;
import dev.tidemark.example.orderhistory.lambda.DynamoDbStreamHandler;
import dev.tidemark.example.orderhistory.lambda.RelayHandler;
import dev.tidemark.example.orderhistory.lambda.SqsHandler;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.Ticking;
import dev.tidemark.example.orderhistory.rebuild.Rebuild;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.outbox.Sender;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Runs the code of each process and compares what it called with the rights in the contract: what
 * is missing would be refused in production, what is too much may be taken away.
 */
@DisplayName("The rights of a process are the calls of its code, no fewer and no more:")
class RightsTest {
  private static final Contract CONTRACT = Contract.read();
  private static final String POISON =
      """
      {"Records": [{"messageId": "1", "body": "no event", "eventSourceARN": "arn:aws:sqs:::q",
        "attributes": {}, "messageAttributes": {}}]}
      """;
  private static final String POISON_IN_STREAM =
      """
      {"Records": [{"eventName": "INSERT", "eventSourceARN": "arn:aws:dynamodb:::s",
        "dynamodb": {"SequenceNumber": "1", "NewImage": {"event": {"S": "no event"}}}}]}
      """;

  private static final String HINT =
      """
      {"Records": [{"eventName": "MODIFY",
        "eventSourceARN": "arn:aws:dynamodb:eu-central-1:1:table/%s/stream/2026",
        "dynamodb": {"SequenceNumber": "1", "ApproximateCreationDateTime": 1,
          "Keys": {"orderId": {"S": "b"}}}}]}
      """;

  private static LocalDynamoDb dynamoDb;
  private static LocalSqs sqs;

  @BeforeAll
  static void start() {
    dynamoDb = new LocalDynamoDb();
    sqs = new LocalSqs();
  }

  @AfterAll
  static void end() {
    sqs.close();
    dynamoDb.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("the function behind the queue, whether rows publish or not")
  void queueFunction(boolean announces) {
    try (Watched watched = new Watched(dynamoDb, sqs, "", announces)) {
      Function<List<Delivery>, BatchOutcome<?>> views = Views.serving(watched.generations);
      watched.project(views);
      SqsHandler handler = new SqsHandler(views, letters(watched));
      new LambdaRuntime<>(handler, SQSEvent.class, SQSBatchResponse.class).apply(POISON);
      assertEquals(1, watched.deadLetters.size());
      assertEquals(CONTRACT.rights("queueFunction"), watched.made());
    }
  }

  @Test
  @DisplayName("the function behind the stream")
  void streamFunction() {
    try (Watched watched = new Watched(dynamoDb, sqs, "")) {
      Function<List<Delivery>, BatchOutcome<?>> views = Views.serving(watched.generations);
      watched.project(views);
      DynamoDbStreamHandler handler = new DynamoDbStreamHandler(views, letters(watched));
      new LambdaRuntime<>(handler, DynamodbEvent.class, StreamsEventResponse.class)
          .apply(POISON_IN_STREAM);
      assertEquals(1, watched.deadLetters.size());
      assertEquals(CONTRACT.rights("streamFunction"), watched.made());
    }
  }

  private static SqsDeadLetters letters(Watched watched) {
    return SqsDeadLetters.of(watched.sqs, watched.deadLetters.url());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("the service, behind a queue of either kind")
  void service(String kind) throws InterruptedException {
    try (Watched watched = new Watched(dynamoDb, sqs, kind)) {
      Function<List<Delivery>, BatchOutcome<?>> views = Views.serving(watched.generations);
      watched.project(views);
      Event event = Samples.created("order-new", "consumer-new", 0);
      watched.queue.send(event);
      watched.queue.send("no event", "g");
      consume(watched, watched.queue, watched.deadLetters, views);
      ask(watched.generations.current(), event);
      assertEquals(List.of(), watched.generations.restaurants());
      assertEquals(1, watched.deadLetters.size());
      assertEquals(CONTRACT.rights("service"), watched.made());
    }
  }

  /** Every message is given back once. */
  private static void consume(
      Watched watched,
      LocalQueue queue,
      LocalQueue deadLetters,
      Function<List<Delivery>, BatchOutcome<?>> views)
      throws InterruptedException {
    AtomicInteger batches = new AtomicInteger();
    Listeners consumer =
        Listeners.open(
            deliveries -> {
              if (batches.getAndIncrement() == 0) {
                throw SdkClientException.create("away");
              }
              return views.apply(deliveries);
            },
            Map.of(
                "CARRIER", "sqs",
                "QUEUE_URL", queue.url(),
                "DEAD_LETTER_QUEUE_URL", deadLetters.url()),
            watched::sqs);
    try (consumer) {
      consumer.start();
      Await.until("the queue is empty", () -> queue.size() == 0);
    }
  }

  private static void ask(ViewStore views, Event event) {
    assertEquals(
        1, views.queries().ofConsumer("consumer-new", OrderFilter.ALL, 10, null).orders().size());
    assertInstanceOf(
        Freshness.Fresh.class, views.orders().find(key(event.orderId()), notBefore(event.place())));
    YearMonth month = YearMonth.from(event.at().atOffset(ZoneOffset.UTC));
    assertEquals(
        1, views.spending().find(ConsumerSpending.row("consumer-new", month)).orElseThrow().orders);
  }

  @Test
  @DisplayName("the relay as a service, which takes hints from streams")
  void relay() throws InterruptedException {
    try (Watched watched = new Watched(dynamoDb, sqs, "");
        DynamoDbStreamsClient streams = watched.streams()) {
      watched.stream();
      watched.publish("a");
      watched.publish("gone");
      Duration interval = Duration.ofSeconds(1);
      try (StatusRelays relays =
          new StatusRelays(watched.generations, sender(watched), pass -> {}, interval, streams)) {
        Await.until("both are sent", () -> watched.statuses.size() == 2);
        Await.until(
            "the stream is read",
            () ->
                watched
                    .made()
                    .getOrDefault("orderHistoryStream", Set.of())
                    .contains("dynamodb:GetRecords"));
      }
      assertEquals(CONTRACT.rights("relay"), watched.made());
    }
  }

  @Test
  @DisplayName("the relay as a function")
  void relayFunction() {
    try (Watched watched = new Watched(dynamoDb, sqs, "")) {
      watched.publish("a");
      watched.publish("gone");
      RelayHandler handler =
          new RelayHandler(
              () -> watched.generations,
              sender(watched),
              CloudWatchLines.of("test", line -> {}),
              Duration.ZERO);
      var function = new LambdaRuntime<>(handler, DynamodbEvent.class, Integer.class);
      assertEquals("2", function.apply("{}"));
      watched.publish("b");
      String table = watched.generations.outboxes().get(0).name();
      assertEquals("1", function.apply(HINT.formatted(table)));
      assertEquals(CONTRACT.rights("relayFunction"), watched.made());
    }
  }

  /** Of the rows that it sends of one is gone before it is taken off. */
  private static Sender sender(Watched watched) {
    Sender sender = SqsSender.of(watched.sqs, topic -> watched.statuses.url());
    return messages -> {
      watched.delete("gone");
      return sender.send(messages);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".fifo"})
  @DisplayName("the board as a service, which is asked for its health")
  void board(String kind) throws InterruptedException {
    try (Watched watched = new Watched(dynamoDb, sqs, kind)) {
      var board = Settings.of(Map.of("VIEWS", "board")).handler(watched.generations);
      watched.count(board);
      watched.statuses.send(new String(EventJson.encode(Watched.changed("new")), UTF_8), "g");
      watched.statuses.send("no event", "g");
      consume(watched, watched.statuses, watched.statusLetters, board);
      assertEquals(1, watched.statusLetters.size());
      var unused = watched.generations.current().orders().find(key("health"));
      assertEquals(CONTRACT.rights("board"), watched.made());
    }
  }

  @Test
  @DisplayName("the board as a function")
  void boardFunction() {
    try (Watched watched = new Watched(dynamoDb, sqs, "")) {
      var board = Settings.of(Map.of("VIEWS", "board")).handler(watched.generations);
      watched.count(board);
      SqsHandler handler =
          new SqsHandler(board, SqsDeadLetters.of(watched.sqs, watched.statusLetters.url()));
      new LambdaRuntime<>(handler, SQSEvent.class, SQSBatchResponse.class).apply(POISON);
      assertEquals(1, watched.statusLetters.size());
      assertEquals(CONTRACT.rights("boardFunction"), watched.made());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("the rebuild, whose tables are there, whether rows publish or not")
  void rebuild(boolean announces) {
    try (Watched watched = new Watched(dynamoDb, sqs, "", announces)) {
      Event event = Samples.created("order-new", "consumer-new", 0);
      new Rebuild(topic(event), List.of("orders"), watched.generations, new Ticking()).run();
      assertEquals(2, watched.generations.serving());
      // A row that is not as a write took it to be is read, as it always is for old events.
      watched.project(Views.serving(watched.generations));
      assertEquals(CONTRACT.rights("rebuild"), watched.made());
    }
  }

  /** Kafka is asked for no rights, so its records are enough; they come as often as asked for. */
  private static MockConsumer<String, byte[]> topic(Event event) {
    TopicPartition partition = new TopicPartition("orders", 0);
    MockConsumer<String, byte[]> consumer =
        new MockConsumer<>("earliest") {
          @Override
          public synchronized ConsumerRecords<String, byte[]> poll(Duration timeout) {
            if (position(partition) == 0) {
              addRecord(
                  new ConsumerRecord<>(
                      "orders", 0, 0, event.aggregateId(), EventJson.encode(event)));
            }
            return super.poll(timeout);
          }
        };
    consumer.updatePartitions(
        "orders", List.of(new PartitionInfo("orders", 0, null, new Node[0], new Node[0])));
    consumer.updateBeginningOffsets(Map.of(partition, 0L));
    consumer.updateEndOffsets(Map.of(partition, 1L));
    return consumer;
  }
}
