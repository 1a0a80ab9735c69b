package dev.tidemark.example.orderhistory.lambda;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.aws.CloudWatchLines;
import dev.tidemark.aws.SqsSender;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.local.RowStream;
import dev.tidemark.example.orderhistory.relay.StatusSender;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

@DisplayName("The function that relays")
class RelayHandlerTest {
  private static final String TIMER =
      """
      {"version": "0", "id": "1", "detail-type": "Scheduled Event", "source": "aws.events",
       "account": "123456789012", "time": "2026-01-01T00:00:00Z", "region": "eu-central-1",
       "resources": ["arn:aws:events:eu-central-1:123456789012:rule/relay"], "detail": {}}
      """;
  private static final int MINUTE = 60_000;

  private final LocalQueue queue = LocalQueue.fresh("", Duration.ofSeconds(30));

  private static void publish(Generations generations, String order, String... statuses) {
    for (String status : statuses) {
      assertTrue(
          generations
              .current()
              .orders()
              .update(
                  MessageId.of(order + status),
                  key(order),
                  change()
                      .createIfMissing()
                      .set("status", status)
                      .publish(
                          OutgoingMessage.to(OrderStatusChanged.TOPIC, status)
                              .id(order + "-" + status)))
              .isApplied());
    }
  }

  private static Sender to(LocalQueue queue) {
    return new StatusSender(
        Settings.of(Map.of("RELAY_TO", "sqs", "STATUS_QUEUE_URL", queue.url())),
        () ->
            SqsClient.builder()
                .endpointOverride(URI.create(queue.url()).resolve("/"))
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS));
  }

  private static UnaryOperator<String> function(
      Generations generations, Sender sender, Duration grace, int millis) {
    return new LambdaRuntime<>(
        new RelayHandler(() -> generations, sender, CloudWatchLines.of("test", line -> {}), grace),
        DynamodbEvent.class,
        Integer.class,
        millis);
  }

  private UnaryOperator<String> function(Generations generations, Duration grace) {
    return function(generations, to(queue), grace, MINUTE);
  }

  /** How often each message came, by its ID. */
  private Map<String, Integer> arrived() {
    Map<String, Integer> arrived = new TreeMap<>();
    for (Message message : queue.drain()) {
      arrived.merge(LocalQueue.attribute(message, SqsSender.ID), 1, Integer::sum);
    }
    return arrived;
  }

  private static Map<String, Integer> once(String... ids) {
    Map<String, Integer> once = new TreeMap<>();
    List.of(ids).forEach(id -> once.put(id, 1));
    return once;
  }

  /** All that waits, due or not. */
  private static int waiting(Generations generations) {
    int waiting = 0;
    for (OutboxRecords records : generations.outboxes()) {
      for (int shard = 0; shard < records.shards(); shard++) {
        waiting += records.due(shard, Long.MAX_VALUE, 100).size();
      }
    }
    return waiting;
  }

  @Test
  @DisplayName("sends what a stream tells of, each message once and the messages of a row in order")
  void stream() {
    try (Generations generations = LocalStore.DYNAMODB.prepared();
        RowStream stream = new RowStream(generations);
        var mapping = stream.mapping(function(generations, Duration.ofDays(1)), 10)) {
      List<String> order = new ArrayList<>();
      IntStream.range(0, 30)
          .forEach(i -> publish(generations, "order-" + i, "CREATED", "ACCEPTED", "READY"));
      Await.until(
          "all are sent",
          () -> {
            queue.drain().forEach(m -> order.add(LocalQueue.attribute(m, SqsSender.ID)));
            return order.size() >= 90 && waiting(generations) == 0;
          });
      assertEquals(90, order.size());
      assertEquals(90, order.stream().distinct().count());
      assertEquals(0, mapping.errors());
    }
  }

  @Test
  @DisplayName("works on no row but those that a stream tells of, and on none that waits for later")
  void hints() {
    try (Generations generations = LocalStore.DYNAMODB.prepared();
        RowStream stream = new RowStream(generations)) {
      publish(generations, "a", "CREATED");
      String event = stream.event();
      publish(generations, "b", "CREATED");
      UnaryOperator<String> function = function(generations, Duration.ofDays(1));
      assertEquals("1", function.apply(event));
      assertEquals(once("a-CREATED"), arrived());
      assertEquals("0", function.apply(event), "the same batch again");
      assertEquals(1, waiting(generations));
      assertEquals("0", function.apply(event.replace(":table/", ":table/another-")));
    }
  }

  @Test
  @DisplayName("tells that a broker is away, holds up no stream for it, and sends later")
  void broker() {
    try (LocalSqs sqs = new LocalSqs();
        Generations generations = LocalStore.DYNAMODB.prepared();
        RowStream stream = new RowStream(generations);
        var client = sqs.client()) {
      generations.prepareExecutions();
      LocalQueue own = new LocalQueue(client, sqs.queue("status", Duration.ofSeconds(30)));
      publish(generations, "a", "CREATED");
      String event = stream.event();
      UnaryOperator<String> function = function(generations, to(own), Duration.ZERO, MINUTE);
      sqs.stop();
      String told =
          String.valueOf(
              assertThrows(IllegalStateException.class, () -> function.apply(event)).getMessage());
      assertTrue(told.endsWith("; 0 messages were sent"), told);
      Await.until("the mapping goes on with the next batch", () -> passes(function, event));
      assertEquals(1, waiting(generations));
      sqs.start();
      Await.until("it is due again, and sent", () -> function.apply(TIMER).equals("1"));
      assertEquals(1, own.drain().size());
      assertEquals(0, waiting(generations));
    }
  }

  /** Whether an event is done with: not where a row that it tells of is tried, and fails. */
  private static boolean passes(UnaryOperator<String> function, String event) {
    try {
      return function.apply(event).equals("0");
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("sends by the timer what no stream told of, of both generations, and keeps no lease")
  void timer(LocalStore store) {
    try (Generations generations = store.prepared()) {
      generations.prepareExecutions();
      publish(generations, "a", "CREATED", "ACCEPTED");
      publish(generations, "b", "CREATED");
      generations.prepare(2);
      generations.serve(2);
      publish(generations, "c", "CREATED");
      UnaryOperator<String> function = function(generations, Duration.ZERO);
      assertEquals("4", function.apply(TIMER));
      assertEquals(once("a-CREATED", "a-ACCEPTED", "b-CREATED", "c-CREATED"), arrived());
      publish(generations, "d", "CREATED");
      Queue<RelayPass> passes = new ConcurrentLinkedQueue<>();
      for (OutboxRecords records : generations.outboxes()) {
        Relay other =
            Relay.builder(records, to(queue))
                .sharedBy(generations.executions())
                .lease(StatusSender.LEASE)
                .listener(passes::add)
                .build();
        var unused = other.sweep();
        other.stop();
      }
      assertEquals(
          List.of(4, 4),
          passes.stream().map(RelayPass::shards).toList(),
          "another relay has all shards at once");
      assertEquals(once("d-CREATED"), arrived());
      assertEquals("0", function.apply(TIMER));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("leaves to streams, when the timer calls it, what was published just now")
  void grace(LocalStore store) {
    try (Generations generations = store.prepared()) {
      generations.prepareExecutions();
      publish(generations, "a", "CREATED");
      assertEquals("0", function(generations, Duration.ofMinutes(1)).apply(TIMER));
      assertEquals(1, waiting(generations));
      assertEquals("1", function(generations, Duration.ZERO).apply(TIMER));
    }
  }

  @Test
  @DisplayName("takes over what an invocation had that was killed")
  void killed() {
    try (Generations generations = LocalStore.DYNAMODB.prepared()) {
      generations.prepareExecutions();
      publish(generations, "a", "CREATED");
      Sender none = Sender.each(message -> fail());
      OutboxRecords records = generations.outboxes().get(0);
      RelayPass last =
          Relay.builder(records, none)
              .sharedBy(generations.executions())
              .lease(Duration.ofSeconds(3))
              .retryAfter(Duration.ofMillis(1), Duration.ofMillis(1))
              .build()
              .sweep(); // and nothing gives its leases back
      assertEquals(List.of(4, 1), List.of(last.shards(), last.failed()));
      assertEquals("1", function(generations, Duration.ZERO).apply(TIMER));
      assertEquals(once("a-CREATED"), arrived());
    }
  }

  private static void fail() {
    throw new IllegalStateException("killed");
  }

  @Test
  @DisplayName("ends in time, however much there is to send, and gives its leases back")
  void deadline() {
    try (Generations generations = LocalStore.DYNAMODB.prepared()) {
      generations.prepareExecutions();
      publish(generations, "order-0", "CREATED");
      int[] next = {1};
      Sender endless = // publishes another one with each that it sends
          Sender.each(message -> publish(generations, "order-" + next[0]++, "CREATED"));
      assertEquals("1", function(generations, endless, Duration.ZERO, 1).apply(TIMER));
      assertEquals(1, waiting(generations));
      assertEquals("1", function(generations, Duration.ZERO).apply(TIMER));
    }
  }

  @Test
  @DisplayName("fails at once, with the name, where a setting is missing or names another broker")
  void settings() {
    assertEquals("RELAY_TO of a function must be sqs, was ''", refusal(Map.of()));
    String missing = refusal(Map.of("RELAY_TO", "sqs"));
    assertTrue(missing.contains("the environment variable STATUS_QUEUE_URL is not set"), missing);
    assertEquals(
        "RELAY_TO of a function must be sqs, was 'kafka'",
        refusal(Map.of("RELAY_TO", "kafka", "KAFKA_BOOTSTRAP_SERVERS", "localhost:1")));
  }

  private static String refusal(Map<String, String> settings) {
    return String.valueOf(
        assertThrows(
                IllegalArgumentException.class, () -> RelayHandler.sender(Settings.of(settings)))
            .getMessage());
  }
}
