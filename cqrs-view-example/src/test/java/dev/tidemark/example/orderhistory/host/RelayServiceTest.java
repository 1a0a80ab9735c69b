package dev.tidemark.example.orderhistory.host;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.store.Settings;
import dev.tidemark.micrometer.TidemarkMetrics;
import dev.tidemark.tck.MovableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

@DisplayName("The service's relay")
class RelayServiceTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MovableClock clock = new MovableClock();

  private RelayService relay(Map<String, String> settings, Generations generations) {
    return new RelayService(
        new Settings(settings), generations, new TidemarkMetrics(registry), clock);
  }

  private double meter(String name) {
    var counter = registry.find("tidemark.outbox." + name).counter();
    return counter == null ? 0 : counter.count();
  }

  private static void topic(String name) throws ExecutionException, InterruptedException {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", EmbeddedKafka.shared().bootstrapServers()))) {
      var unused = admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
    }
  }

  @Test
  @DisplayName("sends, is measured and is healthy until it stops")
  void runs() throws ExecutionException, InterruptedException {
    String topic = "relayed-" + UUID.randomUUID();
    topic(topic);
    try (Generations generations = LocalStore.MONGODB.prepared()) {
      generations.prepareExecutions();
      RelayService relay =
          relay(
              Map.of(
                  "RELAY_TO",
                  "kafka",
                  "STATUS_TOPIC",
                  topic,
                  "KAFKA_BOOTSTRAP_SERVERS",
                  EmbeddedKafka.shared().bootstrapServers()),
              generations);
      RelayHealth health = new RelayHealth(relay, clock);
      assertEquals(Status.DOWN, health.health().getStatus(), "before it runs");
      relay.start();
      assertTrue(
          generations
              .current()
              .orders()
              .update(
                  MessageId.of("m"),
                  key("a"),
                  change()
                      .createIfMissing()
                      .publish(OutgoingMessage.to(OrderStatusChanged.TOPIC, "{}")))
              .isApplied());
      Await.until("it is sent", () -> meter("sent") == 1);
      assertEquals(Status.UP, health.health().getStatus());
      String records = generations.outboxes().get(0).name();
      assertTrue(String.valueOf(health.health().getDetails().get(records)).contains("pending"));
      relay.stop();
      assertFalse(relay.isRunning());
      assertEquals(Status.DOWN, health.health().getStatus(), "after it stopped");
    }
  }

  @Test
  @DisplayName("is down once the store has not answered it for a minute")
  void storeAway() {
    Generations generations = LocalStore.DYNAMODB.prepared();
    RelayService relay =
        relay(Map.of("RELAY_TO", "kafka", "KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:1"), generations);
    RelayHealth health = new RelayHealth(relay, clock);
    relay.start(); // there is no table of leases, so no pass succeeds
    try {
      Await.until(
          "a pass has failed",
          () -> relay.seen().values().stream().anyMatch(seen -> seen.pass().error() != null));
      assertEquals(Status.UP, health.health().getStatus());
      clock.move(Duration.ofSeconds(61));
      assertEquals(Status.DOWN, health.health().getStatus());
    } finally {
      relay.stop();
      generations.close();
    }
  }

  @Test
  @DisplayName("is none where no setting asks for it, and refused with one that is wrong")
  void none() {
    try (Generations generations = LocalStore.DYNAMODB.fresh()) {
      RelayService none = relay(Map.of(), generations);
      none.start();
      assertFalse(none.isRunning());
      assertEquals(Status.UP, new RelayHealth(none, clock).health().getStatus());
      assertThrows(
          IllegalArgumentException.class, () -> relay(Map.of("RELAY_TO", "sqs"), generations));
    }
  }
}
