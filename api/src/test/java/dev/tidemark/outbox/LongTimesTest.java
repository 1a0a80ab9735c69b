package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.store.MapStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A time that nobody can count with")
class LongTimesTest {
  private static final Set<String> BOTH = Set.of("eu", "us");

  private final RelayScene scene = new RelayScene();

  private Map<String, Consumer<Duration>> settings() {
    return Map.of(
        "interval", time -> scene.builder().interval(time),
        "lease", time -> scene.builder().lease(time),
        "grace", time -> scene.builder().grace(time),
        "the first pause", time -> scene.builder().retryAfter(time, time),
        "most", time -> scene.relay().drain(time),
        "patience", time -> Sender.concurrent(CompletableFuture::completedFuture, time),
        "the maximum delay", time -> Clusters.of("eu", BOTH, time),
        "marks", time -> Clusters.of("eu", BOTH, Duration.ofSeconds(1)).marksKeptFor(time).kept());
  }

  @Test
  @DisplayName("is refused where it is set, by name")
  void refused() {
    for (Duration time : List.of(ChronoUnit.FOREVER.getDuration(), Duration.ofDays(36_526))) {
      settings()
          .forEach(
              (name, setting) -> {
                IllegalArgumentException error =
                    assertThrows(IllegalArgumentException.class, () -> setting.accept(time), name);
                assertTrue(String.valueOf(error.getMessage()).contains(name), error::getMessage);
              });
    }
    scene.close();
  }

  @Test
  @DisplayName("is none where little time is left: a drain makes one pass")
  void negative() {
    scene.publish("a", "a1");
    assertEquals(1, scene.relay().drain(ChronoUnit.FOREVER.getDuration().negated()).sent());
    scene.close();
  }

  @Test
  @DisplayName("makes no cluster send before its turn, however many there are")
  void turns() {
    Instant now = scene.records.clock().instant();
    OutgoingMessage message = OutgoingMessage.to("t", "a").id("a");
    OutboxMessage waiting = new OutboxMessage("a", now, message, "eu");
    scene.records.rows.put(
        "a", new OutboxRecord("a", List.of(waiting), List.of(), 0, now.toEpochMilli()));
    Set<String> all = Set.of("eu", "us", "ap", "sa");
    for (String cluster : Set.of("us", "ap", "sa")) {
      Clusters clusters =
          Clusters.of(cluster, all, Duration.ofDays(36_525)).elapsedBy(scene.nanos::get);
      ClusteredRecords records = ClusteredRecords.of(scene.records, new MapStore(), clusters);
      assertEquals(List.of(), records.due(1, now.toEpochMilli(), 9), cluster);
    }
    scene.close();
  }

  @Test
  @DisplayName("is told apart from a cluster without a name")
  void unnamed() {
    NullPointerException error =
        assertThrows(
            NullPointerException.class,
            () -> Clusters.of("eu", Arrays.asList("eu", null), Duration.ofSeconds(1)));
    assertEquals("a cluster's name", error.getMessage());
    scene.close();
  }
}
