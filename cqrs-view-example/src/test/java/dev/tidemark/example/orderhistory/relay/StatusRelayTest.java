package dev.tidemark.example.orderhistory.relay;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.aws.SqsSender;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.store.Settings;
import dev.tidemark.outbox.RelayPass;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

@DisplayName("The relay of statuses")
class StatusRelayTest {
  private final Queue<RelayPass> passes = new ConcurrentLinkedQueue<>();

  private static void publish(Generations generations, int generation, String order) {
    assertTrue(
        generations
            .generation(generation)
            .orders()
            .update(
                MessageId.of(order),
                key(order),
                change()
                    .createIfMissing()
                    .set("status", "CREATED")
                    .publish(OutgoingMessage.to(OrderStatusChanged.TOPIC, "of " + order).id(order)))
            .isApplied());
  }

  static StatusSender sender(String to, StatusTopic topic, LocalQueue queue) {
    Settings settings =
        new Settings(
            Map.of(
                "RELAY_TO", to,
                "KAFKA_BOOTSTRAP_SERVERS", EmbeddedKafka.shared().bootstrapServers(),
                "STATUS_TOPIC", topic.name(),
                "STATUS_QUEUE_URL", queue.url()));
    return StatusSender.of(
        settings,
        () ->
            SqsClient.builder()
                .endpointOverride(LocalSqs.shared().uri())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS));
  }

  private Thread start(StatusRelay relay) {
    Thread thread = new Thread(relay);
    thread.start();
    return thread;
  }

  private static void stop(StatusRelay relay, Thread thread) throws InterruptedException {
    relay.stop();
    thread.join(TimeUnit.MINUTES.toMillis(1));
    assertTrue(!thread.isAlive(), "ends");
  }

  private static Set<String> ids(StatusTopic topic) {
    return topic.arrived().stream().map(StatusTopic::id).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("sends to Kafka and to SQS what rows of both generations have published")
  void both(LocalStore store) throws InterruptedException {
    LocalQueue queue = LocalQueue.fresh("", Duration.ofSeconds(30));
    try (Generations generations = store.prepared();
        StatusTopic topic = new StatusTopic();
        StatusSender sender = sender("kafka,sqs", topic, queue)) {
      generations.prepareExecutions();
      publish(generations, 1, "a");
      StatusRelay relay = StatusRelay.of(generations, sender, passes::add);
      Thread thread = start(relay);
      Await.until("the first is sent", () -> ids(topic).equals(Set.of("a")));
      generations.prepare(2);
      publish(generations, 1, "b");
      publish(generations, 2, "c");
      generations.serve(2);
      publish(generations, 1, "d");
      Await.until("all are sent", () -> ids(topic).equals(Set.of("a", "b", "c", "d")));
      Set<String> queued = new TreeSet<>();
      Await.until(
          "all are in the queue",
          () -> {
            for (Message message : queue.drain()) {
              String id = LocalQueue.attribute(message, SqsSender.ID);
              assertEquals("of " + id, message.body());
              queued.add(id);
            }
            return queued.equals(Set.of("a", "b", "c", "d"));
          });
      assertEquals(2, relay.records().size());
      generations.prepare(3);
      generations.serve(3);
      Await.until(
          "the first is over", () -> relay.records().stream().noneMatch(n -> n.endsWith("1")));
      stop(relay, thread);
      assertEquals(
          4, passes.stream().mapToInt(RelayPass::sent).sum(), () -> "once each: " + passes);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("gives its leases back when it stops, so that another goes on at once")
  void handsOver(LocalStore store) throws InterruptedException {
    LocalQueue queue = LocalQueue.fresh("", Duration.ofSeconds(30));
    try (Generations generations = store.prepared();
        StatusTopic topic = new StatusTopic();
        StatusSender sender = sender("kafka", topic, queue)) {
      generations.prepareExecutions();
      StatusRelay first = StatusRelay.of(generations, sender, passes::add);
      Thread thread = start(first);
      Await.until("it works", () -> passes.stream().anyMatch(pass -> pass.shards() > 0));
      stop(first, thread);
      publish(generations, 1, "a");
      StatusRelay second = StatusRelay.of(generations, sender, passes::add);
      Thread next = start(second);
      Await.until("it is sent", () -> ids(topic).equals(Set.of("a")));
      stop(second, next);
      assertEquals(0, passes.stream().mapToInt(RelayPass::takenOver).sum());
    }
  }

  @Test
  @DisplayName("is refused if a setting is missing, or names no broker")
  void settings() {
    assertEquals(
        "the environment variable RELAY_TO is not set", refusal(Map.of("STORE", "dynamodb")));
    assertEquals(
        "the environment variable STATUS_QUEUE_URL is not set", refusal(Map.of("RELAY_TO", "sqs")));
    assertEquals(
        "the environment variable KAFKA_BOOTSTRAP_SERVERS is not set",
        refusal(Map.of("RELAY_TO", "sqs,kafka", "STATUS_QUEUE_URL", "http://127.0.0.1:1/q")));
    assertEquals(
        "RELAY_TO must be kafka, sqs, or both with a comma between, was pigeon",
        refusal(Map.of("RELAY_TO", "pigeon")));
  }

  private static String refusal(Map<String, String> settings) {
    return String.valueOf(
        assertThrows(
                IllegalArgumentException.class,
                () -> List.of(StatusSender.of(new Settings(settings))))
            .getMessage());
  }
}
