package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.store.Answer;
import dev.tidemark.store.MapStore;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Leases of shards")
class LeasesTest {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration BEAT = LEASE.dividedBy(3).plusMillis(1);
  private static final int SHARDS = 4;

  private final RelayScene scene = new RelayScene();
  private final Map<String, StoredRecord> stored = new TreeMap<>();
  private final List<Instance> instances = new ArrayList<>();
  private int refused;

  /** A relay's leases, by a clock of its own that is wrong. */
  private final class Instance {
    private final MapStore store;
    private final long[] millis;
    private final Leases leases;
    private Tally last = new Tally();
    private int takenOver;

    Instance() {
      this(LEASE);
    }

    Instance(Duration lease) {
      int wrong = instances.size() * 3_600_000;
      this.millis = new long[] {Instant.parse("2026-06-01T00:00:00Z").toEpochMilli() - wrong};
      this.store = new MapStore(stored, millis);
      store.carrier =
          (write, request) -> {
            Answer<StoredRecord> answer = request.get();
            refused += answer instanceof Answer.Refused ? 1 : 0;
            return answer;
          };
      this.leases = new Leases(store, scene.records, lease, scene.nanos::get);
      instances.add(this);
    }

    void tend() {
      last = new Tally();
      leases.tend(last);
      takenOver += last.takenOver;
    }

    int has() {
      return (int) IntStream.range(0, SHARDS).filter(leases::isMine).count();
    }
  }

  @Test
  @DisplayName("end no pass by an Error of their store")
  void error() {
    Instance one = new Instance();
    MapStore.Carrier sound = one.store.carrier;
    MapStore.Carrier broken =
        (write, request) -> {
          throw new LinkageError("a class of the driver is not there");
        };
    one.store.carrier = broken; // it claims what is free
    one.tend();
    assertInstanceOf(LinkageError.class, one.last.pass("rows", Duration.ZERO).error());
    one.store.carrier = sound;
    scene.move(BEAT);
    beat(one);
    assertEquals(SHARDS, one.has());
    one.store.carrier = broken; // it renews what it has
    one.tend();
    assertInstanceOf(LinkageError.class, one.last.pass("rows", Duration.ZERO).error());
    assertEquals(SHARDS, one.has());
    one.leases.release();
    assertEquals(0, one.has());
  }

  /** Lets all that live do what they have to, once a beat, and sees that no two have the same. */
  private void beat(Instance... living) {
    for (Instance instance : living) {
      instance.tend();
      scene.move(BEAT.dividedBy(living.length));
      for (int shard = 0; shard < SHARDS; shard++) {
        int at = shard;
        assertTrue(instances.stream().filter(one -> one.leases.isMine(at)).count() <= 1);
      }
    }
  }

  private void beats(int count, Instance... living) {
    for (int i = 0; i < count; i++) {
      beat(living);
    }
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("are new again once one was over, though it was renewed before anybody asked")
  void lapsed() {
    Instance one = new Instance();
    one.tend();
    assertTrue(one.leases.hasNew());
    assertFalse(one.leases.hasNew());
    scene.move(BEAT);
    one.tend();
    assertFalse(one.leases.hasNew());
    scene.move(LEASE);
    assertEquals(0, one.has()); // hints are dropped meanwhile
    one.tend();
    assertEquals(SHARDS, one.has());
    assertTrue(one.leases.hasNew());
  }

  @Test
  @DisplayName("are all taken at once by who is alone, and renewed every third of a lease")
  void alone() {
    Instance one = new Instance();
    one.tend();
    assertEquals(SHARDS, one.has());
    Map<String, StoredRecord> first = new TreeMap<>(stored);
    scene.move(LEASE.dividedBy(3).minusMillis(1));
    one.tend();
    assertEquals(first, stored);
    scene.move(Duration.ofMillis(1));
    one.tend();
    first.forEach((key, record) -> assertFalse(record.equals(stored.get(key))));
    scene.move(LEASE.minusNanos(1));
    assertEquals(SHARDS, one.has());
    scene.move(Duration.ofNanos(1));
    assertEquals(0, one.has());
    one.tend();
    assertEquals(SHARDS, one.has());
    assertEquals(0, refused);
  }

  @Test
  @DisplayName("come to fair shares, and then no write is refused")
  void balance() {
    Instance one = new Instance();
    Instance two = new Instance();
    Instance three = new Instance();
    beats(2, one);
    beats(10, one, two);
    assertEquals(List.of(2, 2), List.of(one.has(), two.has()));
    assertTrue(refused <= 2, () -> refused + " refused");
    beats(10, one, two, three);
    assertEquals(1, three.has());
    assertEquals(SHARDS, one.has() + two.has() + three.has());
    int before = refused;
    beats(100, one, two, three);
    assertEquals(before, refused);
    assertEquals(0, one.takenOver + two.takenOver + three.takenOver);
  }

  @Test
  @DisplayName("leave those without a shard to wait where there are fewer shards than instances")
  void standBy() {
    for (int i = 0; i < 6; i++) {
      new Instance();
      beats(6, instances.toArray(Instance[]::new));
    }
    List<Integer> shares = instances.stream().map(Instance::has).sorted().toList();
    assertEquals(List.of(0, 0, 1, 1, 1, 1), shares);
    Instance dead = instances.stream().filter(one -> one.has() == 1).findFirst().orElseThrow();
    Instance[] living = instances.stream().filter(one -> one != dead).toArray(Instance[]::new);
    beats(8, living);
    assertEquals(SHARDS, instances.stream().mapToInt(Instance::has).sum());
  }

  @Test
  @DisplayName("end for a machine that was suspended, whose elapsed time stood still meanwhile")
  void suspended() {
    Instance one = new Instance();
    one.tend();
    one.millis[0] += LEASE.toMillis() - 1;
    assertEquals(SHARDS, one.has());
    one.millis[0]++;
    assertEquals(0, one.has());
    scene.move(LEASE.dividedBy(3));
    one.tend();
    assertEquals(SHARDS, one.has());
  }

  /** What the store's time to live does. */
  private void collect(Instance one) {
    Instant now = Instant.ofEpochSecond(one.millis[0] / 1_000);
    stored
        .values()
        .removeIf(
            record ->
                record.fields().get(StoredRecord.EXPIRES) instanceof Instant expires
                    && !expires.isAfter(now));
  }

  @Test
  @DisplayName("of who is called once in two days are forgotten, and are never of two at a time")
  void rarely() {
    Instance[] all = {new Instance(), new Instance()};
    beats(8, all);
    for (int calls = 0; calls < 10; calls++) {
      for (Instance one : all) {
        one.millis[0] += Duration.ofDays(2).toMillis();
        collect(one);
      }
      scene.move(Duration.ofDays(2));
      assertEquals(Map.of(), stored);
      assertEquals(List.of(0, 0), List.of(all[0].has(), all[1].has()));
      beat(all[calls % 2]);
      beats(12, all);
      assertEquals(List.of(2, 2), List.of(all[0].has(), all[1].has()));
    }
  }

  @Test
  @DisplayName("stay until they are over, though they are longer than a day")
  void days() {
    Instance one = new Instance(Duration.ofDays(5));
    one.tend();
    scene.move(Duration.ofDays(4));
    one.millis[0] += Duration.ofDays(4).toMillis();
    assertEquals(SHARDS, one.has());
    collect(one);
    assertEquals(SHARDS, stored.size());
  }

  @Test
  @DisplayName("of who is interrupted while it gives them back are free at once, too")
  void interrupted() {
    Instance one = new Instance();
    one.tend();
    one.store.carrier =
        (write, request) -> {
          one.store.carrier = (again, next) -> next.get();
          Thread.currentThread().interrupt();
          throw new IllegalStateException("the thread is interrupted"); // as drivers do
        };
    one.leases.release();
    assertTrue(Thread.interrupted());
    assertEquals(Map.of(), stored);
  }

  @Test
  @DisplayName("of who went silent are taken over in less than ten seconds, whatever clocks show")
  void takeover() {
    for (boolean ahead : new boolean[] {true, false}) {
      stored.clear();
      Instance dead = new Instance();
      Instance two = new Instance();
      if (ahead) {
        beats(10, dead, two);
      } else {
        beats(10, two, dead);
        Instance other = dead;
        dead = two;
        two = other;
      }
      assertEquals(2, two.has());
      dead.tend();
      long died = scene.nanos.get();
      while (two.has() < SHARDS) {
        beat(two);
      }
      Duration took = Duration.ofNanos(scene.nanos.get() - died);
      assertTrue(took.compareTo(Duration.ofSeconds(10)) < 0, () -> "took " + took);
      assertTrue(took.compareTo(LEASE) >= 0, () -> "took " + took);
      assertEquals(2, two.takenOver);
      scene.move(Duration.ofDays(1));
    }
  }

  @Test
  @DisplayName("of who is slow stay, as long as a renewal is seen within each lease")
  void slow() {
    Instance slow = new Instance();
    slow.tend();
    Instance[] quick = {new Instance()};
    for (int i = 0; i < 50; i++) {
      beats(2, quick);
      slow.tend();
    }
    assertEquals(0, quick[0].takenOver);
    assertEquals(2, slow.has());
  }

  @Test
  @DisplayName("of who stops are free at once, and nothing is left of them")
  void stops() {
    Instance one = new Instance();
    Instance two = new Instance();
    beats(10, one, two);
    one.leases.release();
    assertEquals(0, one.has());
    assertEquals(2, stored.size());
    beats(2, two);
    assertEquals(SHARDS, two.has());
    assertEquals(0, two.takenOver);
    two.leases.release();
    assertEquals(Map.of(), stored);
  }

  @Test
  @DisplayName("that were taken over are worked on no more, and their owner notices")
  void lost() {
    Instance one = new Instance();
    beat(one);
    Instance two = new Instance();
    beats(5, two);
    assertEquals(SHARDS, two.has());
    assertEquals(0, one.has());
    one.tend();
    assertEquals(0, one.has());
    assertEquals(4, refused);
    beats(12, one, two);
    assertEquals(List.of(2, 2), List.of(one.has(), two.has()));
  }

  @Test
  @DisplayName("stay with who loses replies, and with who is turned away for a while")
  void lostReplies() {
    Instance one = new Instance();
    Random random = new Random(7);
    one.store.carrier =
        (write, request) -> {
          boolean made = random.nextBoolean();
          Answer<StoredRecord> answer =
              made ? request.get() : new Answer.Busy<>(new IllegalStateException());
          return made && random.nextInt(3) == 0
              ? new Answer.Lost<>(new IllegalStateException())
              : answer;
        };
    for (int i = 0; i < 100; i++) {
      scene.move(LEASE.dividedBy(20));
      one.tend();
    }
    one.store.carrier = (write, request) -> request.get();
    beats(3, one);
    assertEquals(SHARDS, one.has());
    one.leases.release();
    assertEquals(Map.of(), stored);
  }

  @Test
  @DisplayName("end by themselves where they cannot be renewed, and the error is told")
  void broken() {
    RuntimeException down = new IllegalStateException("down");
    List<MapStore.Carrier> all =
        List.of(
            (write, request) -> {
              throw down;
            },
            (write, request) -> new Answer.Busy<>(down),
            (write, request) -> new Answer.Lost<>(down));
    for (MapStore.Carrier broken : all) {
      stored.clear();
      Instance one = new Instance();
      beat(one);
      one.store.carrier = broken;
      one.tend();
      assertEquals(SHARDS, one.has());
      RelayPass pass = one.last.pass("rows", Duration.ZERO);
      assertSame(down, pass.error());
      assertFalse(pass.storeAnswered());
      scene.move(LEASE);
      assertEquals(0, one.has());
      one.leases.release();
      assertEquals(SHARDS, stored.size());
    }
  }

  @Test
  @DisplayName("are never of two at a time, and of somebody in the end, in random fleets")
  void random() {
    for (int seed = 0; seed < 200; seed++) {
      stored.clear();
      instances.clear();
      Random random = new Random(seed);
      List<Instance> living = new ArrayList<>();
      for (int step = 0; step < 60; step++) {
        int what = random.nextInt(8);
        if (living.isEmpty() || what == 0) {
          living.add(new Instance());
        } else if (what == 1 && random.nextInt(3) == 0) {
          Instance gone = living.remove(random.nextInt(living.size()));
          if (random.nextBoolean()) {
            gone.leases.release();
          }
        } else if (what == 2) {
          scene.move(Duration.ofMillis(random.nextInt(5_000)));
        }
        living.removeIf(one -> living.size() > 5);
        if (!living.isEmpty()) {
          beat(living.toArray(Instance[]::new));
        }
      }
      living.add(new Instance());
      beats(20, living.toArray(Instance[]::new));
      int fair = SHARDS / living.size();
      assertEquals(SHARDS, living.stream().mapToInt(Instance::has).sum(), "seed " + seed);
      living.forEach(one -> assertTrue(one.has() >= fair));
    }
  }

  @Test
  @DisplayName("tell a relay which shards to look at, and when to stop in the middle")
  void relay() {
    MapStore store = new MapStore(stored, new long[] {0});
    Relay one = scene.builder().sharedBy(store).lease(LEASE).build();
    scene.publish("a", "a1", "a2", "a3");
    assertEquals(3, one.sweep().sent());
    scene.publish("a", "a4", "a5");
    scene.broker.before =
        () -> {
          scene.broker.before = () -> {};
          scene.move(LEASE.plusSeconds(60));
          stored.replaceAll((key, record) -> foreign(record));
        };
    RelayPass pass = one.sweep();
    assertEquals(1, pass.sent());
    assertEquals(List.of("a5"), scene.waiting("a"));
    scene.broker.before = () -> {};
    assertEquals(0, one.sweep().shards());
    assertTrue(one.hint(1, "a"));
    assertEquals(0, one.sweep().sent());
    scene.move(LEASE);
    pass = one.sweep();
    assertEquals(SHARDS, pass.shards());
    assertEquals(3, pass.takenOver()); // and one that it took from a richer one before
    assertEquals(List.of("a1", "a2", "a3", "a4", "a5"), scene.broker.taken);
    one.stop();
    assertEquals(Map.of(), stored);
  }

  @Test
  @DisplayName(
      "let no hint of a shard that the relay does not know end a pass, or drop other hints")
  void unknownShards() {
    for (boolean isShared : List.of(true, false)) {
      RelayBuilder builder = scene.builder().hintsOnly();
      MapStore store = new MapStore(stored, new long[] {0});
      Relay one = (isShared ? builder.sharedBy(store).lease(LEASE) : builder).build();
      scene.publish("a", "a1");
      for (int shard : new int[] {-1, SHARDS, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        assertTrue(one.hint(shard, "b" + shard));
      }
      assertTrue(one.hint(1, "a"));
      int reads = scene.records.reads;
      RelayPass pass = one.sweep();
      assertNull(pass.error());
      assertEquals(1, pass.sent());
      assertEquals(1, scene.records.reads - reads);
      one.stop();
    }
  }

  /** Makes a lease unreadable, so that its owner can renew it or not. */
  private void spoil(String key, boolean isRenewable) {
    Map<String, Object> fields = new TreeMap<>(Objects.requireNonNull(stored.get(key)).fields());
    fields.put(isRenewable ? "owner" : StoredRecord.REVISION, List.of("of another type"));
    stored.put(key, new StoredRecord(key, fields));
  }

  @Test
  @DisplayName("that cannot be read are free once nobody can hold them, and keep no other shard")
  void unreadable() {
    Instance one = new Instance();
    Instance two = new Instance();
    beats(12, one, two);
    for (String key : List.copyOf(stored.keySet())) {
      for (boolean isRenewable : List.of(true, false)) {
        spoil(key, isRenewable);
        beats(12, one, two);
        assertEquals(SHARDS, one.has() + two.has());
      }
    }
    Map<String, Object> unguarded = new TreeMap<>(stored.values().iterator().next().fields());
    unguarded.remove(StoredRecord.REVISION);
    stored.replaceAll((key, record) -> new StoredRecord(key, unguarded));
    stored.keySet().stream().skip(1).forEach(key -> spoil(key, false));
    Instance three = new Instance();
    beats(3, three); // nobody else lives
    assertEquals(0, three.has());
    assertTrue(three.last.isSettled(), "the store has answered");
    beats(3, three);
    assertEquals(SHARDS, three.has());
    three.leases.release();
    assertEquals(Map.of(), stored);
  }

  @Test
  @DisplayName("are taken though the store has a fault at one of them")
  void faultAtOne() {
    Instance one = new Instance();
    List<String> keys = new ArrayList<>();
    one.store.carrier =
        (write, request) -> {
          keys.add(write.key());
          if (keys.size() == 1) {
            throw new IllegalStateException("a fault of one partition");
          }
          return request.get();
        };
    one.tend();
    assertInstanceOf(IllegalStateException.class, one.last.pass("rows", Duration.ZERO).error());
    assertEquals(SHARDS - 1, one.has());
  }

  private static StoredRecord foreign(StoredRecord record) {
    Map<String, Object> fields = new TreeMap<>(record.fields());
    fields.put(StoredRecord.REVISION, record.revision() + "x");
    fields.put("owner", "other");
    fields.computeIfPresent("fence", (name, fence) -> (Long) fence + 1);
    return new StoredRecord(record.key(), fields);
  }
}
