package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.IdPolicy;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.LEFTOVERS)
@DisplayName("Law 12: whatever is written is collected some day")
final class LeftoversContract {
  private final Scene scene;

  LeftoversContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  @Test
  @DisplayName("a tombstone carries its expiry in the write that makes it, in epoch seconds")
  void expiry() {
    Tracking tracking = Tracking.defaults().tombstonesKeptFor(Duration.ofHours(36));
    EntityStore<View> store = scene.store(tracking);
    long until = scene.clock.instant().plus(Duration.ofHours(36)).getEpochSecond();
    Expect.applied(store.delete(Some.event(1), scene.key));
    assertEquals(until, scene.raw().orElseThrow().get("deletedUntil"));
    EntityKey other = Some.key();
    Expect.applied(store.update(Some.event(1), other, Scene.counted()));
    Expect.applied(store.deleteExisting(Some.event(2), other));
    assertEquals(until, scene.backend.raw(other).orElseThrow().get("deletedUntil"));
  }

  @Test
  @DisplayName("a live entity never carries the expiry, whatever wrote it")
  void liveRows() {
    EntityStore<View> store = scene.store();
    Change refused = change().set("note", "x").onlyIf(attribute("note").exists()).otherwiseSkip();
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    assertLive();
    Expect.applied(store.apply(Some.event(2), scene.key, Views::paid));
    assertLive();
    Expect.refused(store.update(Some.event(3), scene.key, refused));
    assertLive();
    Expect.applied(store.delete(Some.event(4), scene.key));
    Expect.applied(store.update(Some.event(5), scene.key, Scene.counted().recreate()));
    assertLive();
    Expect.applied(store.delete(Some.event(6), scene.key));
    scene.clock.move(Duration.ofDays(31));
    Expect.applied(store.update(Some.event(7), scene.key, Scene.counted()));
    assertLive();
  }

  private void assertLive() {
    assertFalse(scene.raw().orElseThrow().containsKey("deletedUntil"));
  }

  @Test
  @DisplayName("what an expired tombstone remembered goes with the first write, of all subscribers")
  void expiredMarks() {
    EntityStore<View> search = scene.store(Tracking.defaults().as("search"));
    Expect.applied(search.update(Some.event("A", "1", 1), scene.key, Scene.counted()));
    Expect.applied(search.update(Some.id(), scene.key, Scene.counted()));
    Expect.applied(scene.store().update(Some.id(), scene.key, Scene.counted()));
    Expect.applied(scene.store().delete(Some.event(1), scene.key));
    scene.clock.move(Duration.ofDays(31));
    Expect.applied(scene.store().update(Some.event(9), scene.key, Scene.counted()));
    Set<String> names = scene.raw().orElseThrow().keySet();
    names.removeAll(Set.of("_rev", "_born", "total"));
    assertEquals(Set.of("events.Order.4711"), names);
    Expect.applied(search.update(Some.event("A", "1", 1), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName(
      "ids past their horizon go once writes resume: one message in the open slot, few behind")
  void oldIds() {
    Tracking tracking = Tracking.defaults().messageIds(IdPolicy.keptFor(Duration.ofDays(1)));
    EntityStore<View> store = scene.store(tracking);
    for (int i = 0; i < 100; i++) {
      scene.clock.move(Duration.ofMinutes(10));
      Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    }
    scene.clock.move(Duration.ofDays(400));
    for (int i = 0; i < 60; i++) {
      scene.clock.move(Duration.ofDays(1));
      Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    }
    Map<String, Object> raw = scene.raw().orElseThrow();
    int ids =
        raw.entrySet().stream()
            .filter(e -> e.getKey().startsWith("messageIDs") && !e.getKey().endsWith("closed"))
            .mapToInt(e -> e.getValue() instanceof java.util.Collection<?> c ? c.size() : 0)
            .sum();
    assertEquals(true, ids <= 60, () -> ids + " ids");
  }

  @Test
  @DisplayName("a call that ends in a fault leaves the record as it was")
  void faults() {
    EntityStore<View> store = scene.store();
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    Map<String, Object> before = scene.raw().orElseThrow();
    try {
      store.update(Some.event(2), scene.key, change().set("no.parent", "x")).entity();
    } catch (dev.tidemark.InvalidChangeException e) {
      assertEquals(before, scene.raw().orElseThrow());
    }
    Expect.applied(store.update(Some.event(2), scene.key, Scene.counted()));
  }
}
