package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.store.MapStore;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay that looks seldom, since streams tell it of messages,")
class LongIntervalTest {
  private static final Duration INTERVAL = Duration.ofHours(1);
  private static final Duration LEASE = Duration.ofSeconds(4);

  private final RelayScene scene = new RelayScene();
  private final Map<String, StoredRecord> leases = new TreeMap<>();
  private final long[] millis = {scene.records.clock().millis()};
  private Relay relay = scene.relay();

  @AfterEach
  void close() {
    scene.close();
  }

  /** Rests for as long as the relay asks, and ends it after that time. */
  private RelayBuilder.Pauses restingFor(Duration most) {
    long end = scene.nanos.get() + most.toNanos();
    return time -> {
      Duration rest = time.plusNanos(1);
      scene.move(rest);
      millis[0] += rest.toMillis() + 1;
      if (scene.nanos.get() - end >= 0) {
        relay.stop();
      }
    };
  }

  private void run(RelayBuilder.Pauses pauses) {
    relay = scene.builder().interval(INTERVAL).time(scene.nanos::get, pauses).build();
    relay.run();
  }

  @Test
  @DisplayName("tries again after the pause of the entity, and looks no more often than that")
  void retry() {
    List<Duration> tried = new ArrayList<>();
    long start = scene.nanos.get();
    scene.publish("a", "a1");
    scene.broker.isDown = true;
    scene.broker.before =
        () -> {
          tried.add(Duration.ofNanos(scene.nanos.get() - start));
          scene.broker.isDown = tried.size() < 4;
        };
    run(restingFor(Duration.ofMinutes(30)));
    assertEquals(List.of("a1"), scene.broker.taken);
    assertEquals(List.of(0L, 1L, 3L, 7L), tried.stream().map(Duration::toSeconds).toList());
    int looks = tried.size() + 1; // the last one tells that nothing is left
    assertEquals(looks * scene.records.shards(), scene.records.looks);
  }

  @Test
  @DisplayName("looks once for what it has put off, and another relay has sent since")
  void gone() {
    scene.publish("a", "a1");
    scene.broker.isDown = true;
    RelayBuilder.Pauses pauses = restingFor(Duration.ofMinutes(30));
    run(
        time -> {
          scene.records.rows.clear();
          pauses.pause(time);
        });
    assertEquals(3 * scene.records.shards(), scene.records.looks, "once more, for a slow index");
  }

  @Test
  @DisplayName("tries again in time though hints keep it at work all the while")
  void atWork() {
    scene.broker.refuses.add("a1");
    int[] hints = {0};
    scene.broker.after =
        () -> {
          scene.broker.refuses.clear();
          scene.move(Duration.ofMillis(10));
          if (hints[0] < 500) {
            scene.publish("bb", "b" + hints[0]++);
            relay.hint(2, "bb");
          }
        };
    RelayBuilder.Pauses pauses = restingFor(Duration.ofSeconds(20));
    run(
        time -> {
          if (hints[0] == 0) {
            scene.publish("a", "a1");
            scene.publish("bb", "b" + hints[0]++);
            relay.hint(1, "a");
            relay.hint(2, "bb");
          } else {
            pauses.pause(time);
          }
        });
    int tried = scene.broker.taken.indexOf("a1");
    assertTrue(tried >= 0 && tried < 200, () -> "after " + tried + " others");
  }

  @Test
  @DisplayName("looks at all shards once it is asked to, on its own thread")
  void asked() {
    RelayBuilder.Pauses pauses = restingFor(Duration.ofSeconds(20));
    run(
        time -> {
          if (scene.records.rows.isEmpty() && scene.broker.taken.isEmpty()) {
            scene.publish("a", "a1");
            relay.look();
          } else {
            pauses.pause(time);
          }
        });
    assertEquals(List.of("a1"), scene.broker.taken);
  }

  @Test
  @DisplayName("forgets what it has put off a longest pause after its time")
  void forgets() {
    scene.publish("a", "a1");
    scene.broker.isDown = true;
    relay = scene.builder().interval(INTERVAL).build();
    assertEquals(1, relay.sweep().failed());
    scene.records.rows.clear();
    assertEquals(1, relay.sweep().pending());
    scene.move(Duration.ofMinutes(2));
    assertEquals(0, relay.sweep().pending());
  }

  @Test
  @DisplayName("looks at shards that it takes over at once")
  void takeover() {
    Relay dead = scene.builder().sharedBy(new MapStore(leases, millis)).lease(LEASE).build();
    dead.sweep();
    relay = sharing().build();
    scene.publish("a", "a1");
    relay.hint(1, "a"); // which is lost, as the shard is another's
    relay.run();
    assertEquals(List.of("a1"), scene.broker.taken);
  }

  @Test
  @DisplayName("looks again where a look at what it took over has found a batch of it")
  void takeoverOfMore() {
    scene.builder().sharedBy(new MapStore(leases, millis)).lease(LEASE).build().sweep();
    for (int i = 0; i < 5; i++) {
      scene.publish("a".repeat(4 * i + 1), "m" + i);
    }
    relay = sharing().batch(1).build();
    relay.run();
    assertEquals(5, scene.broker.taken.size());
  }

  private RelayBuilder sharing() {
    return scene
        .builder()
        .interval(INTERVAL)
        .sharedBy(new MapStore(leases, millis))
        .lease(LEASE)
        .time(scene.nanos::get, restingFor(LEASE.multipliedBy(3)));
  }

  @Test
  @DisplayName("tells by a pass for its leases alone what the look before it has seen of the store")
  void tending() {
    relay = sharing().build();
    relay.run();
    assertTrue(scene.passes.size() > 5, scene.passes::toString);
    assertTrue(scene.passes.stream().allMatch(RelayPass::storeAnswered), scene.passes::toString);
    scene.passes.clear();
    relay = sharing().build();
    scene.records.full = Integer.MAX_VALUE;
    relay.run();
    assertTrue(scene.passes.size() > 5, scene.passes::toString);
    assertTrue(scene.passes.stream().allMatch(p -> p.unreadable() > 0), scene.passes::toString);
    scene.passes.clear();
    relay = sharing().build();
    scene.records.error = new IllegalStateException("no index");
    relay.run();
    assertTrue(scene.passes.size() > 5, scene.passes::toString);
    assertTrue(scene.passes.stream().noneMatch(RelayPass::storeAnswered), scene.passes::toString);
  }

  @Test
  @DisplayName("tells that the store answers again though it has no shard to look at")
  void standingBy() {
    Relay owner = scene.builder().sharedBy(new MapStore(leases, millis)).lease(LEASE).build();
    owner.sweep();
    MapStore store = new MapStore(leases, millis);
    relay = scene.builder().sharedBy(store).lease(LEASE).build();
    store.onTheWay =
        () -> {
          throw new IllegalStateException("away");
        };
    assertFalse(relay.sweep().storeAnswered());
    store.onTheWay = () -> {};
    assertFalse(relay.sweep().storeAnswered(), "it was not asked since");
    scene.move(LEASE.dividedBy(3));
    RelayPass pass = relay.sweep();
    assertEquals(0, pass.shards());
    assertTrue(pass.storeAnswered());
  }

  @Test
  @DisplayName("sends what a hint told of before it was due, as by a writer whose clock is ahead")
  void clockAhead() {
    scene.publish("a", "a1");
    OutboxRecord stored = Objects.requireNonNull(scene.records.rows.get("a"));
    long due = stored.due() + 300;
    scene.records.rows.put("a", new OutboxRecord("a", stored.waiting(), List.of(), 0, due));
    relay =
        scene
            .builder()
            .interval(INTERVAL)
            .time(scene.nanos::get, restingFor(Duration.ofSeconds(5)))
            .build();
    relay.hint(1, "a");
    relay.run();
    assertEquals(List.of("a1"), scene.broker.taken);
  }

  @Test
  @DisplayName("looks soon where a read has failed")
  void readFails() {
    RelayBuilder.Pauses pauses = restingFor(Duration.ofSeconds(5));
    scene.records.error = new IllegalStateException("away");
    scene.publish("a", "a1");
    run(
        time -> {
          scene.records.error = null;
          pauses.pause(time);
        });
    assertEquals(List.of("a1"), scene.broker.taken);
  }

  @Test
  @DisplayName("has hints of its own, beside another relay of its builder")
  void own() {
    RelayBuilder builder = scene.builder().hintsOnly();
    relay = builder.build();
    Relay other = builder.build();
    scene.publish("a", "a1");
    scene.publish("bb", "b1");
    relay.hint(1, "a");
    other.hint(2, "bb");
    relay.sweep();
    assertEquals(List.of("a1"), scene.broker.taken);
    other.sweep();
    assertEquals(List.of("a1", "b1"), scene.broker.taken);
  }
}
