package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.MapRecords;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay that drains")
class DrainTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final RelayScene scene = new RelayScene();
  private final Map<String, ExecutionRecord> stored = new TreeMap<>();

  private RelayBuilder shared() {
    long[] now = {scene.records.clock().millis()};
    return scene.builder().sharedBy(new MapRecords(stored, now)).lease(Duration.ofSeconds(4));
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("makes passes until one has sent nothing, tells their sums, and may do so again")
  void sums() {
    scene.publish("a", "a1", "a2");
    scene.publish("bb", "b1");
    scene.broker.refuses.add("b1");
    Relay relay = scene.builder().batch(1).build();
    RelayPass all = relay.drain(LONG);
    assertEquals(2, all.sent());
    assertEquals(1, all.failed());
    assertTrue(all.error() instanceof IllegalStateException);
    assertEquals(2, scene.passes.size());
    scene.publish("a", "a3");
    assertEquals(1, relay.drain(LONG).sent());
  }

  @Test
  @DisplayName("makes one pass, and no more once time is over")
  void time() {
    for (int i = 0; i < 5; i++) {
      scene.publish("a".repeat(4 * i + 1), "m" + i);
    }
    scene.broker.after = () -> scene.move(Duration.ofSeconds(1));
    Relay relay = scene.builder().batch(1).build();
    assertEquals(1, relay.drain(Duration.ZERO).sent());
    assertEquals(2, relay.drain(Duration.ofMillis(1_500)).sent());
    assertEquals(2, relay.drain(LONG).sent());
  }

  @Test
  @DisplayName("gives its leases back, so that the next one has all shards at once")
  void givesBack() {
    assertEquals(4, shared().build().drain(LONG).shards());
    long before = scene.nanos.get();
    assertEquals(4, shared().build().drain(LONG).shards());
    assertEquals(before, scene.nanos.get(), "did not wait");
  }

  @Test
  @DisplayName("takes over within two leases what a dead one had, and waits no longer for a living")
  void takesOver() {
    scene.publish("a", "a1");
    Relay dead = shared().build();
    assertEquals(1, dead.sweep().sent());
    scene.publish("a", "a2");
    long before = scene.nanos.get();
    RelayPass all = shared().build().drain(LONG);
    assertEquals(1, all.sent());
    assertEquals(4, all.shards());
    assertTrue(all.takenOver() > 0, "others were given up, as by a living one");
    assertTrue(scene.nanos.get() - before <= Duration.ofSeconds(8).toNanos());
  }

  @Test
  @DisplayName("works on hints alone, where it has to")
  void hintsOnly() {
    scene.publish("a", "a1", "a2");
    scene.publish("bb", "b1");
    Relay relay = scene.builder().hintsOnly().build();
    assertEquals(0, relay.drain(LONG).sent());
    assertTrue(relay.hint(1, "a"));
    assertEquals(2, relay.drain(LONG).sent());
    assertEquals(0, scene.records.looks);
  }

  @Test
  @DisplayName("leaves what is younger than its grace to hints, and finds what is older")
  void grace() {
    scene.publish("a", "a1");
    Relay relay = scene.builder().grace(Duration.ofSeconds(10)).build();
    assertEquals(0, relay.drain(LONG).sent());
    scene.move(Duration.ofSeconds(10));
    RelayPass all = relay.drain(LONG);
    assertEquals(1, all.sent());
    assertThrows(
        IllegalArgumentException.class, () -> scene.builder().grace(Duration.ofMillis(-1)));
  }
}
