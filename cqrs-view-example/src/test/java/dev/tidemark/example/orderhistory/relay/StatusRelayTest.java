package dev.tidemark.example.orderhistory.relay;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.aws.SqsSender;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.host.StatusRelays;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.local.RowStream;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import software.amazon.awssdk.services.sqs.model.Message;

@DisplayName("The relay of statuses")
class StatusRelayTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

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
        Settings.of(
            Map.of(
                "RELAY_TO", to,
                "KAFKA_BOOTSTRAP_SERVERS", EmbeddedKafka.shared().bootstrapServers(),
                "STATUS_TOPIC", topic.name(),
                "STATUS_QUEUE_URL", queue.url()));
    return new StatusSender(settings, StatusRelayTest::sqs);
  }

  private static SqsClientBuilder sqs() {
    return SqsClient.builder()
        .endpointOverride(LocalSqs.shared().uri())
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(LocalDynamoDb.CREDENTIALS);
  }

  private StatusRelays relays(Generations generations, Sender sender, Duration interval) {
    return new StatusRelays(
        generations, sender, passes::add, interval, LocalStore.dynamoDb().streams());
  }

  private static Predicate<RelayPass> isOf(int generation) {
    return pass -> pass.records().endsWith("-" + generation);
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
      StatusRelays relays = relays(generations, sender, SHORT);
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
      generations.prepare(3);
      generations.serve(3);
      Await.until("the third is begun with", () -> passes.stream().anyMatch(isOf(3)));
      passes.removeIf(isOf(1).and(pass -> pass.sent() == 0));
      Await.until("the second goes on", () -> passes.stream().filter(isOf(2)).count() > 3);
      assertEquals(0, passes.stream().filter(isOf(1)).filter(p -> p.sent() == 0).count());
      relays.close();
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
      try (StatusRelays first = relays(generations, sender, SHORT)) {
        Await.until("it works", () -> passes.stream().anyMatch(pass -> pass.shards() > 0));
      }
      publish(generations, 1, "a");
      try (StatusRelays second = relays(generations, sender, SHORT)) {
        Await.until("it is sent", () -> ids(topic).equals(Set.of("a")));
      }
      assertEquals(0, passes.stream().mapToInt(RelayPass::takenOver).sum());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("is told by the store's streams what was published, long before it looks")
  void hinted(LocalStore store) {
    Set<String> sent = ConcurrentHashMap.newKeySet();
    int[] published = {0};
    try (Generations generations = store.prepared()) {
      generations.prepareExecutions();
      if (store == LocalStore.DYNAMODB) {
        new RowStream(generations).close();
      }
      Sender sender = Sender.each(message -> sent.add(message.id()));
      try (StatusRelays relays = relays(generations, sender, Duration.ofHours(1))) {
        Await.until("it works", () -> passes.stream().anyMatch(pass -> pass.shards() == 4));
        Await.until( // what comes before the stream is open waits for a look
            "something is sent",
            () -> {
              publish(generations, 1, "order-" + published[0]++);
              return !sent.isEmpty();
            });
        publish(generations, 1, "last");
        Await.until("the last is sent", () -> sent.contains("last"));
      }
    }
  }
}
