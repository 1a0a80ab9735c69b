package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.store.Answer;
import dev.tidemark.store.MapStore;
import dev.tidemark.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each request for a lease and each reply may be held for longer than every lease, or get lost. */
@DisplayName("Leases of shards whose requests and replies are held")
final class HeldLeasesTest {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final int SHARDS = 4;

  private final RelayScene scene = new RelayScene();
  private final Map<String, StoredRecord> stored = new TreeMap<>();
  private final List<Instance> instances = new ArrayList<>();
  private Random random = new Random(0);
  private int seed;
  private boolean isHealthy;

  /** A relay's leases; others live on while one of its requests is on its way. */
  private final class Instance {
    private final Leases leases;
    private boolean waits;

    Instance() {
      MapStore store = new MapStore(stored, new long[] {0});
      store.carrier = (write, request) -> carry(request);
      store.onTheWay = HeldLeasesTest.this::onTheWay;
      this.leases = new Leases(store, scene.records, LEASE, scene.nanos::get);
    }

    private Answer<StoredRecord> carry(Supplier<Answer<StoredRecord>> request) {
      onTheWay();
      int fate = isHealthy ? 9 : random.nextInt(10);
      Answer<StoredRecord> answer = fate == 0 ? lost() : request.get();
      onTheWay();
      return fate == 1 ? lost() : answer;
    }

    private Answer<StoredRecord> lost() {
      return new Answer.Lost<>(new IllegalStateException("no answer"));
    }

    void tend() {
      if (!waits) {
        waits = true;
        leases.tend(new Tally());
        waits = false;
        assertOfOne();
      }
    }
  }

  private void onTheWay() {
    if (isHealthy || random.nextInt(4) > 0) {
      return;
    }
    int most = random.nextInt(4) == 0 ? 2 * (int) LEASE.toMillis() : 500;
    for (int turns = random.nextInt(4); turns > 0; turns--) {
      scene.move(Duration.ofMillis(random.nextInt(most)));
      instances.get(random.nextInt(instances.size())).tend();
    }
  }

  /** An instance that waits for an answer works on nothing. */
  private void assertOfOne() {
    for (int shard = 0; shard < SHARDS; shard++) {
      int at = shard;
      long owners = instances.stream().filter(one -> !one.waits && one.leases.isMine(at)).count();
      assertTrue(owners <= 1, "a shard of two, seed " + seed);
    }
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  @DisplayName("decide by what was read of a record who sends it, whatever shard a hint names")
  void wrongHints() {
    List<Relay> relays = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      MapStore store = new MapStore(stored, new long[] {0});
      relays.add(scene.builder().hintsOnly().sharedBy(store).lease(LEASE).build());
    }
    for (int turn = 0; turn < 60; turn++) {
      relays.get(turn % 2).sweep();
      scene.move(LEASE.dividedBy(9));
    }
    Set<Relay> senders = new HashSet<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      for (Relay relay : relays) {
        scene.records.rows.clear();
        scene.publish("a", "a" + shard);
        assertTrue(relay.hint(shard, "a"));
        RelayPass pass = relay.sweep();
        assertEquals(2, pass.shards());
        if (pass.sent() > 0) {
          senders.add(relay);
        }
      }
    }
    assertEquals(1, senders.size());
  }

  @Test
  @DisplayName("are never of two at a time, and of somebody in the end")
  void held() {
    held(2_000);
  }

  /** Enough to find what is wrong in the leases of {@link OutboxMutantsTest}. */
  void heldInFew() {
    held(50);
  }

  private void held(int seeds) {
    for (seed = 0; seed < seeds; seed++) {
      stored.clear();
      instances.clear();
      random = new Random(seed);
      isHealthy = false;
      for (int i = 0; i < 3; i++) {
        instances.add(new Instance());
      }
      for (int turn = 0; turn < 40; turn++) {
        instances.get(random.nextInt(3)).tend();
        scene.move(Duration.ofMillis(random.nextInt(2_000)));
      }
      isHealthy = true;
      for (int turn = 0; turn < 60; turn++) {
        instances.get(turn % 3).tend();
        scene.move(LEASE.dividedBy(9));
      }
      long owned =
          IntStream.range(0, SHARDS)
              .filter(shard -> instances.stream().anyMatch(one -> one.leases.isMine(shard)))
              .count();
      assertEquals(SHARDS, owned, "seed " + seed);
    }
  }
}
