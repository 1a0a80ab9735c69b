package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.EventPolicy;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.DELETES)
@DisplayName("Law 10: no write leaves a tombstone that is taken for an entity by who has not read")
final class ClosedTombstonesContract {
  private static final int FEW = 3;
  private static final int WRITES = 20;
  private static final List<Integer> BOUNDS = List.of(1, 2, FEW, 40, 1_000);
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(3),
          EventPolicy.sparseWindow(3));

  private final Scene scene;
  private final List<EntityUpdate> updates;

  ClosedTombstonesContract(Backend backend) {
    this.scene = new Scene(backend);
    Change never = Scene.counted().onlyIf(Condition.never()).otherwiseSkip();
    this.updates =
        List.of(
            Scene.counted(),
            never,
            Scene.counted().recreate(),
            Scene.counted().retire(Source.of("S", "0")),
            Scene.counted().retire(Source.of("S", "1")).retire(Source.of("S", "2")),
            backend.counting(Rules.defaults().createIfMissing(), null),
            backend.counting(Rules.defaults().recreate(), null));
  }

  private static SourceEvent event(int source, long position) {
    return Some.event("S", "" + source, position);
  }

  /** The revision of a tombstone is text, so that no guard of who has not read is true. */
  private void assertClosed(EntityKey key, String when) {
    Map<String, Object> stored = scene.backend.raw(key).orElse(Map.of());
    if (stored.get("deletedUntil") != null) {
      assertInstanceOf(String.class, stored.get("_rev"), when);
    }
  }

  /** Whoever writes next, in whatever way, finds the entity deleted. */
  private void assertDeleted(EntityStore<View> store, EntityKey key, long position) {
    assertClosed(key, "deleted");
    EntityUpdate own = scene.backend.counting(Rules.defaults().createIfMissing(), null);
    Expect.deleted(store.update(event(0, position), key, Scene.counted()));
    assertClosed(key, "an event later");
    Expect.deleted(store.update(event(0, position + 1), key, own));
    Expect.deleted(store.update(Some.id(), key, Scene.counted()));
    Expect.deleted(store.update(Some.id(), key, own));
    Expect.deleted(store.apply(event(0, position + 2), key, View::new, Views::counted));
    assertClosed(key, "at last");
    assertTrue(store.find(key).isEmpty());
  }

  @Test
  @DisplayName("whose sources were many before the bound was raised, deleted alone or in a batch")
  void raised() {
    for (EventPolicy policy : POLICIES) {
      for (boolean batch : List.of(false, true)) {
        EntityKey key = Some.key();
        Tracking tracking = Tracking.defaults().events(policy).maxSources(FEW);
        for (int source = 0; source < FEW; source++) {
          Expect.applied(scene.store(tracking).update(event(source, 1), key, Scene.counted()));
        }
        EntityStore<View> raised = scene.store(tracking.maxSources(40));
        Write<View> delete = Write.delete(event(0, 2), key);
        if (batch) {
          raised.writeAll(List.of(delete)).forEach(result -> assertTrue(result.isDone()));
        } else {
          Expect.applied(raised.write(delete));
        }
        assertDeleted(raised, key, 3);
      }
    }
  }

  @Test
  @DisplayName("which had many sources when it was deleted, and is told more under a raised bound")
  void told() {
    for (EventPolicy policy : List.of(EventPolicy.contiguous(), EventPolicy.denseWindow(3))) {
      EntityKey key = Some.key();
      Tracking tracking = Tracking.defaults().events(policy).maxSources(FEW);
      EntityStore<View> store = scene.store(tracking);
      for (int source = 0; source < FEW; source++) {
        Expect.applied(store.update(event(source, 1), key, Scene.counted()));
      }
      Expect.applied(store.delete(event(0, 2), key));
      assertDeleted(scene.store(tracking.maxSources(40)), key, 3);
    }
  }

  @Test
  @DisplayName("whatever came before: bounds raised and lowered, sources retired, two subscribers")
  void lives() {
    for (int life = 0; life < Sizes.lives(scene.backend); life++) {
      long seed = Sizes.seed() + 31L * life;
      live(new Random(new Random(seed).nextLong()), "seed " + seed);
    }
  }

  private void live(Random random, String seed) {
    EntityKey key = Some.key();
    Map<String, Long> last = new HashMap<>();
    List<String> story = new ArrayList<>(List.of(seed));
    for (int i = 0; i < WRITES; i++) {
      Tracking tracking =
          Tracking.defaults()
              .events(POLICIES.get(random.nextInt(POLICIES.size())))
              .maxSources(BOUNDS.get(random.nextInt(BOUNDS.size())));
      tracking = random.nextInt(3) == 0 ? tracking.as("search") : tracking;
      int source = random.nextInt(5);
      String place = tracking.subscriber() + source;
      SourceEvent event = event(source, last.getOrDefault(place, 0L) + 1);
      Write<View> write = write(random, event, key);
      EntityStore<View> store = scene.store(tracking);
      Result<View> result =
          random.nextBoolean() ? Batch.alone(store, write) : store.writeAll(List.of(write)).get(0);
      story.add(
          "%s by %s of %s, at most %d: %s"
              .formatted(write.action(), event, tracking, tracking.maxSources(), result));
      if (result instanceof Result.Failed<View> failed) {
        assertInstanceOf(TooLargeException.class, failed.fault(), story::toString);
      } else if (result.isDone()) {
        last.put(place, last.getOrDefault(place, 0L) + 1);
      }
      assertClosed(key, String.join("\n", story));
    }
  }

  private Write<View> write(Random random, SourceEvent event, EntityKey key) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> Write.delete(event, key);
      case 2 -> Write.delete(Some.id(), key);
      case 3 -> Write.skip(event, key);
      case 4 -> Write.apply(event, key, View::new, Views::counted);
      case 5 -> Write.update(Some.id(), key, updates.get(random.nextInt(updates.size())));
      default -> Write.update(event, key, updates.get(random.nextInt(updates.size())));
    };
  }
}
