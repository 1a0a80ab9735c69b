package dev.tidemark.example.orderhistory.rebuild;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.carrier.KafkaFixture;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.local.Ticking;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.servers.MongoProcess;
import dev.tidemark.tck.MovableClock;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The rebuild")
class RebuildTest {
  private static final Clock STOPPED = new MovableClock();

  private final KafkaFixture kafka = new KafkaFixture();
  private final MovableClock clock = new MovableClock();
  private final String name = LocalStore.freshName();

  @AfterEach
  void close() {
    kafka.close();
  }

  private Rebuild rebuild(Generations generations, Clock clock) {
    return new Rebuild(
        new KafkaConsumer<>(Rebuild.settings(KafkaFixture.bootstrapServers())),
        kafka.topics(),
        generations,
        clock);
  }

  private static void damage(ViewStore views, String order) {
    assertTrue(
        views
            .orders()
            .update(MessageId.of("wrong"), key(order), change().set("total", 1))
            .isApplied());
  }

  private static OrderView row(ViewStore views, String order) {
    return views.orders().find(key(order)).orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("mends a wrong row while the old one serves, and loses nothing that comes meanwhile")
  void mends(LocalStore store) {
    try (Generations generations = store.open(name, Clock.systemUTC());
        Generations late = store.open(name, STOPPED)) { // a writer that never sees the switch
      generations.prepare(1);
      kafka.start(Views.serving(late));
      kafka.send(Orders.delivered(0, 10));
      kafka.sendGarbage();
      kafka.awaitAllCommitted();
      ViewStore old = generations.generation(1);
      damage(old, "order-3");

      CompletableFuture<Void> switched = new CompletableFuture<>();
      CompletableFuture<Void> ended = new CompletableFuture<>();
      CompletableFuture<Void> time = switched.thenRunAsync(() -> passTime(ended));
      Runnable atRebuilding =
          () -> {
            assertEquals(1, generations.serving());
            assertEquals(1, row(old, "order-3").total);
            assertEquals(
                1,
                old.queries().ofConsumer("consumer-3", OrderFilter.ALL, 5, null).orders().size());
            kafka.send(Orders.delivered(10, 13));
          };
      Generations watched = new Watched(generations, atRebuilding, () -> switched.complete(null));
      String summary = rebuild(watched, clock).run().toString();
      ended.complete(null);
      time.orTimeout(1, TimeUnit.MINUTES).join();

      assertTrue(summary.startsWith("rebuild generation=2 records=106 poison=1 sec"), summary);
      assertEquals(2, generations.serving());
      Orders.assertDelivered(generations.generation(2), 0, 15);
      Orders.assertDelivered(old, 4, 15);
      assertEquals(1, row(old, "order-3").total);
    }
  }

  /**
   * Lets events come after the switch, to a writer that does not know of it, and then time pass.
   */
  private void passTime(Future<?> ended) {
    kafka.send(Orders.delivered(13, 15));
    kafka.awaitAllCommitted();
    Await.until(
        "the rebuild has ended",
        () -> {
          clock.move(Rebuild.AFTER_SWITCH);
          return ended.isDone();
        });
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("goes on with the same generation if it is run again after a crash, at any step")
  void resumes(LocalStore store) {
    try (Generations generations = store.open(name, Clock.systemUTC())) {
      generations.prepare(1);
      kafka.send(Orders.delivered(0, 3));
      Runnable crash =
          () -> {
            throw new IllegalStateException("crash");
          };
      Rebuild beforeReading = rebuild(new Watched(generations, crash, () -> {}), STOPPED);
      assertThrows(IllegalStateException.class, beforeReading::run);
      assertEquals(1, generations.serving());
      Rebuild afterSwitch = rebuild(new Watched(generations, () -> {}, crash), STOPPED);
      assertThrows(IllegalStateException.class, afterSwitch::run);
      assertEquals(2, generations.serving());
      Rebuild.Summary summary = rebuild(generations, new Ticking()).run();
      assertEquals(2, summary.generation());
      assertEquals(2, generations.serving());
      Orders.assertDelivered(generations.current(), 0, 3);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("does no harm when it is run twice")
  void twice(LocalStore store) {
    try (Generations generations = store.open(name, Clock.systemUTC())) {
      generations.prepare(1);
      kafka.send(Orders.delivered(0, 3));
      for (int generation = 2; generation <= 3; generation++) {
        Rebuild.Summary summary = rebuild(generations, new Ticking()).run();
        assertEquals(generation, summary.generation());
        assertEquals(generation, generations.serving());
        assertEquals(21, summary.records());
        Orders.assertDelivered(generations.current(), 0, 3);
      }
      Orders.assertDelivered(generations.generation(2), 0, 3);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("fills a generation that is empty, also after the way back to an older one")
  void afterGoingBack(LocalStore store) {
    try (Generations generations = store.open(name, Clock.systemUTC())) {
      generations.prepare(1);
      kafka.send(Orders.delivered(0, 5));
      assertEquals(2, rebuild(generations, new Ticking()).run().generation());
      damage(generations.generation(2), "order-3"); // as a projector does that is wrong once more
      generations.serve(1);
      assertEquals(3, rebuild(generations, new Ticking()).run().generation());
      assertEquals(3, generations.serving());
      Orders.assertDelivered(generations.current(), 0, 5);
    }
  }

  @Test
  @DisplayName("is a command that takes its settings from the environment")
  void command() {
    kafka.send(Orders.delivered(0, 2));
    MongoProcess mongo = LocalStore.mongo();
    Settings settings =
        Settings.of(
            Map.of(
                "STORE", "mongodb",
                "MONGODB_URI", mongo.uri(),
                "MONGODB_DATABASE", name,
                "KAFKA_BOOTSTRAP_SERVERS", KafkaFixture.bootstrapServers(),
                "KAFKA_TOPICS", String.join(",", kafka.topics())));
    Rebuild.Summary summary = Rebuild.run(settings, Clock.systemUTC());
    assertEquals(List.of(2L, 14L), List.of((long) summary.generation(), summary.records()));
    try (Generations generations = LocalStore.MONGODB.open(name, Clock.systemUTC())) {
      Orders.assertDelivered(generations.current(), 0, 2);
    }
  }
}
