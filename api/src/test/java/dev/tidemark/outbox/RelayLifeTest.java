package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Relays that crash, overlap and meet broken stores and brokers")
class RelayLifeTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 60;

  /** One random life. */
  private static final class Life {
    private final RelayScene scene = new RelayScene();
    private final Random random;
    private final List<Relay> relays = new ArrayList<>();
    private final Map<String, List<String>> published = new LinkedHashMap<>();
    private final Set<Relay> isInUse = new HashSet<>();
    private int count;
    private boolean isNested;

    Life(int seed) {
      this.random = new Random(seed * 0x9E3779B97F4A7C15L); // else first draws of near seeds agree
      for (int i = 0; i < 3; i++) {
        relays.add(relay());
      }
    }

    private Relay relay() {
      return scene
          .builder()
          .batch(1 + random.nextInt(4))
          .parkAfter(2 + random.nextInt(3))
          .retryAfter(Duration.ofMillis(100), Duration.ofSeconds(1))
          .build();
    }

    void live() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(9)) {
          case 0, 1, 2 -> publish();
          case 3 -> scene.move(Duration.ofMillis(random.nextInt(1_000)));
          case 4 -> relays.set(random.nextInt(3), relay()); // and all that it knew is lost
          case 5 -> trouble();
          default -> sweep();
        }
      }
    }

    private void publish() {
      String key = "k".repeat(1 + random.nextInt(6));
      List<String> ids = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        ids.add(key + count++ + (random.nextInt(5) == 0 ? "u" : ""));
      }
      published.computeIfAbsent(key, k -> new ArrayList<>()).addAll(ids);
      scene.publish(key, ids.toArray(String[]::new));
    }

    private void trouble() {
      scene.broker.isDown = random.nextInt(4) == 0;
      scene.broker.refuses.clear();
      published.values().stream()
          .flatMap(List::stream)
          .filter(id -> random.nextInt(10) == 0)
          .forEach(scene.broker.refuses::add);
      scene.records.lost = random.nextInt(3);
      scene.records.busy = random.nextInt(3);
      scene.records.error = random.nextInt(6) == 0 ? new IllegalStateException("down") : null;
      boolean fails = random.nextInt(4) == 0;
      scene.records.beforeWrite = () -> between(fails);
      scene.broker.before = () -> between(false);
    }

    /** What others do meanwhile. */
    private void between(boolean fails) {
      if (!isNested) {
        isNested = true;
        if (random.nextBoolean()) {
          publish();
        }
        if (random.nextBoolean()) {
          sweep();
        }
        isNested = false;
      }
      if (fails) {
        throw new IllegalStateException("the store is down");
      }
    }

    private void sweep() {
      Relay relay = relays.get(random.nextInt(3));
      if (random.nextInt(4) == 0) {
        String key = "k".repeat(1 + random.nextInt(6));
        relay.hint(key.length() % 4, key);
      }
      if (!isInUse.contains(relay)) {
        isInUse.add(relay);
        relay.sweep();
        isInUse.remove(relay);
      }
    }

    /** All is well again, and everything goes. */
    void end() {
      scene.broker.isDown = false;
      scene.broker.refuses.clear();
      scene.broker.before = () -> {};
      scene.records.beforeWrite = () -> {};
      scene.records.error = null;
      scene.records.lost = 0;
      scene.records.busy = 0;
      for (int i = 0; i < 300 && waits(); i++) {
        scene.move(Duration.ofMillis(500));
        relays.get(i % 3).sweep();
      }
    }

    private boolean waits() {
      return scene.records.rows.values().stream().anyMatch(row -> !row.waiting().isEmpty());
    }

    void check(String seed) {
      List<String> first = new ArrayList<>(new LinkedHashSet<>(scene.broker.taken));
      published.forEach(
          (key, ids) -> {
            assertEquals(List.of(), scene.waiting(key), seed);
            List<String> parked = scene.parked(key);
            Set<String> done = new HashSet<>(first);
            done.addAll(parked);
            assertTrue(done.containsAll(ids), () -> seed + ": lost of " + ids + " in " + first);
            Stream<String> ordered = ids.stream().filter(id -> !id.endsWith("u"));
            List<String> sent = first.stream().filter(i -> ids.contains(i)).toList();
            assertEquals(
                ordered.filter(sent::contains).filter(id -> !parked.contains(id)).toList(),
                sent.stream().filter(id -> !id.endsWith("u") && !parked.contains(id)).toList(),
                seed);
          });
    }
  }

  @Test
  @DisplayName("send everything at least once, in the order of each entity, and leave nothing")
  void lives() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Life life = new Life(seed);
      life.live();
      life.end();
      life.check("seed " + seed);
      life.scene.close();
    }
  }
}
