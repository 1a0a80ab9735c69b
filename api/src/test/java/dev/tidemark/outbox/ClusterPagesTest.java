package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.execution.MapRecords;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay of a cluster, where another one has left more than a few pages,")
final class ClusterPagesTest {
  private static final Duration DELAY = Duration.ofSeconds(40);
  private static final int COUNT = 100;

  private final RelayScene scene = new RelayScene();
  private final MapRecords marks = new MapRecords();

  ClusterPagesTest() {
    scene.records.lookTakes = Duration.ofMillis(5); // so that no drain looks without end
  }

  @AfterEach
  void close() {
    scene.close();
  }

  /** A relay that knows nothing but what is stored, and looks at ten records at a time. */
  private Relay relay() {
    return relay(10);
  }

  private Relay relay(int batch) {
    Clusters clusters = Clusters.of("us", Set.of("eu", "us"), DELAY).elapsedBy(scene.nanos::get);
    ClusteredRecords records = ClusteredRecords.of(scene.records, marks, clusters);
    return Relay.builder(records, scene.broker)
        .batch(batch)
        .time(scene.nanos::get, scene::move)
        .build();
  }

  /** Publishes one message in each of many records of one shard, due behind a time. */
  private void publish(Duration later) {
    for (int i = 0; i < COUNT; i++) {
      publish("%03d".formatted(i), later, "eu");
    }
  }

  private void publish(String key, Duration later, String origin) {
    scene.move(Duration.ofMillis(1));
    OutboxMessage message =
        new OutboxMessage(
            key, scene.records.clock().instant(), OutgoingMessage.to("t", key).id(key), origin);
    long due = scene.records.clock().millis() + later.toMillis();
    scene.records.rows.put(key, new OutboxRecord(key, List.of(message), List.of(), 0, due));
  }

  @Test
  @DisplayName("notes all of it in one drain, so that the next function sends it")
  void functions() {
    publish(Duration.ZERO);
    scene.move(DELAY);
    assertEquals(0, relay().drain(DELAY).sent());
    scene.move(DELAY);
    assertEquals(COUNT, relay().drain(DELAY).sent());
  }

  @Test
  @DisplayName("finds all of it though it is due far in the future")
  void ahead() {
    publish(Duration.ofDays(1));
    Relay relay = relay();
    for (int looks = 0; looks < 50; looks++) {
      RelayPass unused = relay.sweep();
      scene.move(DELAY.dividedBy(10));
    }
    assertEquals(COUNT, scene.broker.taken.size());
  }

  @Test
  @DisplayName("finds all of it before it is due, at whatever time in the future that is")
  void aheadBeforeDue() {
    long start = scene.nanos.get();
    Duration later = DELAY.plusSeconds(19);
    publish(later);
    Relay relay = relay();
    for (int eighths = 0; eighths <= 10; eighths++) {
      scene.move(eighths == 0 ? Duration.ZERO : DELAY.dividedBy(8));
      for (int looks = 0; looks < (eighths == 0 || eighths > 7 ? 12 : 1); looks++) {
        RelayPass unused = relay.sweep();
      }
    }
    assertTrue(scene.nanos.get() - start < later.toNanos());
    assertEquals(COUNT, scene.broker.taken.size());
  }

  @Test
  @DisplayName("finds all of it in functions, too, though it is due far in the future")
  void aheadOfFunctions() {
    publish(Duration.ofDays(1));
    for (int drains = 0; drains < 4; drains++) {
      RelayPass unused = relay().drain(DELAY);
      scene.move(DELAY);
    }
    assertEquals(COUNT, scene.broker.taken.size());
  }

  @Test
  @DisplayName("sends what is its own behind all of it in one drain, however far ahead it is due")
  void aheadOwn() {
    publish(Duration.ofDays(1));
    publish("own", Duration.ofDays(1), "us");
    assertEquals(1, relay().drain(DELAY).sent());
    assertEquals(List.of("own"), scene.broker.taken);
  }

  @Test
  @DisplayName("sends soon what a look had no room for")
  void leftOut() {
    for (int i = 0; i < 5; i++) {
      publish("due" + i, Duration.ZERO, "eu");
    }
    for (int i = 0; i < 10; i++) {
      publish("far" + i, Duration.ofDays(1), "eu");
    }
    Relay relay = relay();
    for (int looks = 0; looks < 4; looks++) {
      assertEquals(0, relay.sweep().sent());
      scene.move(DELAY.dividedBy(4));
    }
    assertEquals(10, relay.sweep().sent());
    assertEquals(5, relay.sweep().sent());
  }

  @Test
  @DisplayName("sends what is behind more than it can note of what cannot be sent, in functions")
  void refused() {
    refused(10, DELAY);
  }

  @Test
  @DisplayName("sends it where all that cannot be sent is tried at once, too")
  void refusedAtOnce() {
    refused(1_000, Duration.ZERO);
  }

  private void refused(int batch, Duration time) {
    for (int i = 0; i < 300; i++) {
      publish("%03d".formatted(i), Duration.ZERO, "eu");
      scene.broker.refuses.add("%03d".formatted(i));
    }
    publish("own", Duration.ZERO, "eu");
    for (int drains = 0; drains < 8 && scene.broker.taken.isEmpty(); drains++) {
      RelayPass unused = relay(batch).drain(time);
      scene.move(DELAY);
    }
    assertEquals(List.of("own"), scene.broker.taken);
  }
}
