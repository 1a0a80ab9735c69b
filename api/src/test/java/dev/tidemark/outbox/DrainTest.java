package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.store.MapStore;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay that drains")
class DrainTest {
  private static final Duration LONG = Duration.ofHours(1);

  private static final Sent DEFERRED = Sent.deferred(new IllegalStateException("away"));

  private final RelayScene scene = new RelayScene();
  private final Map<String, StoredRecord> stored = new TreeMap<>();

  private RelayBuilder shared() {
    long[] now = {scene.records.clock().millis()};
    return scene.builder().sharedBy(new MapStore(stored, now)).lease(Duration.ofSeconds(4));
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("makes passes until nothing is due, tells their sums, and may do so again")
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

  /** Answers that what goes to a topic cannot be sent now, and that all else is taken. */
  private static List<Sent> away(List<OutboxMessage> messages) {
    return messages.stream()
        .map(one -> one.message().topic().equals("away") ? DEFERRED : Sent.taken())
        .toList();
  }

  private RelayBuilder away() {
    return Relay.builder(scene.records, DrainTest::away)
        .time(scene.nanos::get, scene::move)
        .batch(1);
  }

  @Test
  @DisplayName("goes on behind what cannot be sent, in all shards, until nothing is due")
  void behind() {
    for (int i = 1; i <= 4; i++) {
      scene.publishTo("away", "a".repeat(i), "a" + i);
      scene.publishTo("away", "b".repeat(i), "b" + i);
      scene.move(Duration.ofMillis(1));
      scene.publish("c".repeat(i), "c" + i);
    }
    for (RelayBuilder one : List.of(away(), away().size(1))) {
      long before = scene.nanos.get();
      RelayPass all = one.build().drain(LONG);
      assertEquals(4, all.sent());
      assertEquals(8, all.failed());
      assertEquals(8, scene.records.rows.size());
      assertEquals(before, scene.nanos.get(), "waited for no pause");
      scene.move(Duration.ofMinutes(1));
      IntStream.rangeClosed(1, 4).forEach(i -> scene.publish("c".repeat(i), "c" + i));
    }
  }

  @Test
  @DisplayName("tries once what cannot be sent, however long that takes")
  void slowly() {
    IntStream.rangeClosed(1, 9).forEach(i -> scene.publishTo("away", "a".repeat(i), "a" + i));
    Sender slow =
        messages -> {
          scene.move(Duration.ofMinutes(1));
          return away(messages);
        };
    Relay relay =
        Relay.builder(scene.records, slow).time(scene.nanos::get, scene::move).batch(2).build();
    assertEquals(9, relay.drain(LONG).failed());
    scene.move(Duration.ofMinutes(1));
    assertEquals(9, relay.drain(LONG).failed());
    scene.move(Duration.ofMinutes(1));
    assertTrue(relay.sweep().failed() > 0);
  }

  @Test
  @DisplayName("works on all hints, also behind what cannot be sent")
  void allHints() {
    Relay relay = away().hintsOnly().build();
    assertTrue(relay.hint(0, "what another has sent"));
    for (int i = 0; i < 10; i++) {
      scene.publishTo(i < 9 ? "away" : "t", "a" + i, "m" + i);
      assertTrue(relay.hint(scene.records.shard("a" + i), "a" + i));
    }
    RelayPass all = relay.drain(LONG);
    assertEquals(9, all.failed());
    assertEquals(1, all.sent());
  }

  @Test
  @DisplayName("sends what it finds in a shard that it takes over, however it learns of that")
  void takenOver() {
    scene.publish("a", "a1");
    shared().build().sweep();
    scene.publish("bb", "b1");
    scene.publish("a", "a2");
    assertEquals(2, shared().interval(Duration.ofHours(1)).build().drain(LONG).sent());
  }

  @Test
  @DisplayName("goes on behind what cannot be read, be it all that a look has found")
  void full() {
    scene.publish("a", "a1");
    scene.records.full = 2 * scene.records.shards();
    assertEquals(1, scene.relay().drain(LONG).sent());
  }

  @Test
  @DisplayName("rests where the store takes no change, and ends in time")
  void stuck() {
    scene.publish("a", "a1");
    scene.broker.refuses.add("a1");
    scene.broker.after = () -> scene.move(Duration.ofMillis(1));
    scene.records.busy = Integer.MAX_VALUE;
    long before = scene.nanos.get();
    Relay relay = scene.builder().interval(Duration.ofSeconds(4)).build();
    assertEquals(3, relay.drain(Duration.ofSeconds(10)).failed());
    assertEquals(before + Duration.ofSeconds(10).toNanos(), scene.nanos.get());
  }

  @Test
  @DisplayName("sends all that is due far in the future, since a writer's clock is ahead")
  void farAhead() {
    for (long size : new long[] {1, 32_000_000}) {
      for (int i = 0; i < 12; i++) {
        scene.publish("a".repeat(i + 1), "m" + i);
      }
      scene.records.rows.replaceAll(
          (key, row) ->
              new OutboxRecord(key, row.waiting(), List.of(), 0, row.due() + LONG.toMillis()));
      assertEquals(12, scene.builder().batch(2).size(size).build().drain(LONG).sent());
    }
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
