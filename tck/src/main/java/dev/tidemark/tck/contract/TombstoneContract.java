package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.DELETES)
@DisplayName("Law 10: a tombstone records the events of dense sources, so that none waits for them")
final class TombstoneContract {
  private static final Change CREATE = change().set("status", "NEW").createIfMissing();
  private static final Change REVIVE = change().set("note", "again").recreate();
  private static final String MARK = "events.Order.4711";
  private static final List<EventPolicy> DENSE =
      List.of(
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(5),
          EventPolicy.denseWindow(5).givingUpHoles());

  private final Scene scene;

  TombstoneContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  private EntityStore<View> store(EventPolicy policy) {
    return scene.store(Tracking.defaults().events(policy));
  }

  private Map<String, Object> raw(EntityKey key) {
    return scene.backend.raw(key).orElseThrow();
  }

  /** A view that event 1 made and event 2 deleted. */
  private EntityKey deleted(EntityStore<View> store) {
    EntityKey key = Some.key();
    Expect.applied(store.update(Some.event(1), key, CREATE));
    Expect.applied(store.delete(Some.event(2), key));
    return key;
  }

  @Test
  @DisplayName("what is answered done is recorded: later positions follow, redeliveries are known")
  void follows() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      EntityKey key = deleted(store);
      for (int position = 3; position <= 60; position++) {
        Expect.deleted(store.update(Some.event(position), key, CREATE));
      }
      Expect.duplicate(store.update(Some.event(3), key, CREATE));
      Expect.duplicate(store.update(Some.event(60), key, CREATE));
      assertTrue(store.find(key).isEmpty());
    }
    EntityStore<View> contiguous = store(EventPolicy.contiguous());
    EntityKey key = deleted(contiguous);
    Expect.gap(contiguous.update(Some.event(4), key, CREATE));
    Expect.deleted(contiguous.update(Some.event(3), key, CREATE));
    Expect.deleted(contiguous.update(Some.event(4), key, CREATE));
  }

  @Test
  @DisplayName("in a window in any order, and over many positions that are missing")
  void windows() {
    EntityStore<View> store = store(EventPolicy.denseWindow(5));
    EntityKey key = deleted(store);
    for (int position : new int[] {5, 4, 7}) {
      Expect.deleted(store.update(Some.event(position), key, CREATE));
    }
    Outcome.Gap<View> gap = Expect.gap(store.update(Some.event(99), key, CREATE));
    assertEquals(Position.of(3), gap.expected());
    Expect.deleted(store.update(Some.event(3), key, CREATE));
    Expect.duplicate(store.update(Some.event(5), key, CREATE));
    gap = Expect.gap(store.update(Some.event(99), key, CREATE));
    assertEquals(Position.of(6), gap.expected());
  }

  @Test
  @DisplayName("by every call, whatever the change says but recreate")
  void everyCall() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      EntityKey key = deleted(store);
      Change ruled = CREATE.onlyIf(attribute("status").is("PAID"));
      Expect.deleted(store.update(Some.event(3), key, change().set("status", "X")));
      Expect.deleted(store.update(Some.event(4), key, ruled));
      Expect.deleted(store.update(Some.event(5), key, ruled.otherwiseSkip()));
      Expect.deleted(store.update(Some.event(6), key, CREATE.returning()));
      Expect.deleted(store.apply(Some.event(7), key, Views::counted));
      Expect.deleted(store.apply(Some.event(8), key, View::new, Views::counted));
      Expect.deleted(store.skip(Some.event(9), key));
      Expect.deleted(store.delete(Some.event(10), key));
      Expect.deleted(store.deleteExisting(Some.event(11), key));
      Expect.deleted(store.update(Some.event(12), key, CREATE.set("address.street", "a")));
      Expect.deleted(store.update(Some.event(13), key, CREATE));
      for (int position = 3; position <= 13; position++) {
        Expect.duplicate(store.update(Some.event(position), key, CREATE));
      }
    }
  }

  @Test
  @DisplayName("nothing else changes: no attribute, no expiry, no other mark")
  void nothingElse() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      EntityKey key = deleted(store);
      Map<String, Object> before = raw(key);
      scene.clock.move(Duration.ofDays(2));
      Expect.deleted(store.update(Some.event(3), key, CREATE));
      Expect.deleted(store.delete(Some.event(4), key));
      Change retiring = CREATE.retire(Source.of("Order", "4711"));
      Expect.deleted(store.update(Some.event(5), key, retiring));
      Expect.deleted(store.update(Some.event(6), key, CREATE));
      Map<String, Object> after = raw(key);
      assertEquals(before.get("deletedUntil"), after.get("deletedUntil"));
      after.keySet().removeAll(List.of("_rev", MARK, MARK + "#seen"));
      before.keySet().removeAll(List.of("_rev", MARK, MARK + "#seen"));
      assertEquals(before, after);
    }
  }

  @Test
  @DisplayName("message IDs and events of other sources need no record: nothing is written")
  void others() {
    for (EventPolicy policy : List.of(EventPolicy.dropLate(), EventPolicy.sparseWindow(5))) {
      EntityStore<View> store = store(policy);
      EntityKey key = deleted(store);
      Map<String, Object> before = raw(key);
      Expect.deleted(store.update(Some.event(3), key, CREATE));
      Expect.deleted(store.update(Some.id(), key, CREATE));
      Expect.deleted(store.apply(Some.event(3), key, View::new, Views::counted));
      Expect.deleted(store.delete(Some.event(3), key));
      assertEquals(before, raw(key));
    }
  }

  @Test
  @DisplayName("a source that the entity did not know starts on the tombstone, within the bound")
  void newSources() {
    EntityStore<View> store =
        scene.store(Tracking.defaults().events(EventPolicy.contiguous()).maxSources(3));
    EntityKey key = deleted(store);
    for (int position = 1; position <= 3; position++) {
      Expect.deleted(store.update(Some.event("Stock", "9", position), key, CREATE));
      Expect.deleted(store.update(Some.event("Stock", "8", position), key, CREATE));
    }
    assertThrows(
        TooLargeException.class, () -> store.update(Some.event("Stock", "7", 1), key, CREATE));
    Expect.gap(store.update(Some.event("Stock", "9", 5), key, CREATE));
    Expect.deleted(store.update(Some.event("Stock", "9", 4), key, CREATE));
  }

  @Test
  @DisplayName("a later generation starts on the tombstone; an earlier one is Stale")
  void generations() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      EntityKey key = deleted(store);
      Source next = Source.of("Order", "4711").generation(2);
      Expect.deleted(store.update(SourceEvent.of(next, Position.of(1)), key, CREATE));
      Expect.deleted(store.update(SourceEvent.of(next, Position.of(2)), key, CREATE));
      Expect.stale(store.update(Some.event(3), key, CREATE));
    }
  }

  @Test
  @DisplayName("recreate revives it after what was recorded, and keeps that")
  void recreate() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      EntityKey key = deleted(store);
      Expect.deleted(store.update(Some.event(3), key, CREATE));
      Expect.deleted(store.update(Some.event(4), key, CREATE));
      Expect.duplicate(store.update(Some.event(4), key, REVIVE));
      assertTrue(Expect.applied(store.update(Some.event(5), key, REVIVE)).created());
      Expect.duplicate(store.update(Some.event(3), key, CREATE));
      Expect.applied(store.update(Some.event(6), key, CREATE));
      assertEquals("again", store.find(key).orElseThrow().getNote());
    }
  }

  @Test
  @DisplayName("batches record what single calls record")
  void batches() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      List<Write<View>> writes = new ArrayList<>();
      for (int entity = 0; entity < 3; entity++) {
        EntityKey key = deleted(store);
        writes.add(Write.update(Some.event(3), key, CREATE));
        writes.add(Write.update(Some.event(4), key, CREATE));
        writes.add(Write.apply(Some.event(5), key, View::new, Views::counted));
        writes.add(Write.update(Some.id(), key, CREATE));
        writes.add(Write.apply(Some.event(6), key, Views::counted));
        writes.add(Write.delete(Some.event(7), key));
        writes.add(Write.update(Some.event(8), key, CREATE));
      }
      store.writeAll(writes).forEach(result -> assertEquals("Deleted", Words.of(result)));
      for (int entity = 0; entity < 3; entity++) {
        EntityKey key = writes.get(7 * entity).key();
        Expect.duplicate(store.update(Some.event(8), key, CREATE));
        Expect.deleted(store.update(Some.event(9), key, CREATE));
        assertTrue(store.find(key).isEmpty());
      }
    }
  }

  @Test
  @DisplayName("a batch records, revives and goes on")
  void revivedInBatch() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      EntityKey key = deleted(store);
      List<Write<View>> writes = new ArrayList<>();
      writes.add(Write.update(Some.event(3), key, CREATE));
      writes.add(Write.update(Some.event(4), key, REVIVE));
      writes.add(Write.update(Some.event(5), key, Scene.counted()));
      assertEquals(List.of("Deleted", "Applied", "Applied"), Words.of(store.writeAll(writes)));
      assertEquals(
          List.of("Duplicate", "Duplicate", "Duplicate"), Words.of(store.writeAll(writes)));
      assertEquals(1, scene.count(key));
    }
  }

  @Test
  @DisplayName("a lost reply of the record is settled by its token: Deleted, recorded once")
  void lostReplies() {
    for (int after = 0; after < 3; after++) {
      EntityStore<View> store = store(EventPolicy.contiguous());
      EntityKey key = deleted(store);
      scene.backend.faults().loseReplies(after, 1, () -> {});
      Expect.deleted(store.update(Some.event(3), key, CREATE));
      scene.backend.faults().heal();
      scene.backend.faults().loseReplies(after, 1, () -> {});
      Expect.deleted(store.apply(Some.event(4), key, View::new, Views::counted));
      scene.backend.faults().heal();
      scene.backend.faults().loseReplies(after, 1, () -> {});
      Expect.deleted(store.delete(Some.event(5), key));
      scene.backend.faults().heal();
      Expect.duplicate(store.update(Some.event(5), key, CREATE));
      Expect.deleted(store.update(Some.event(6), key, CREATE));
    }
  }

  @Test
  @DisplayName("subscribers record each their own")
  void subscribers() {
    EntityStore<View> one = store(EventPolicy.contiguous());
    EntityStore<View> other =
        scene.store(Tracking.defaults().events(EventPolicy.contiguous()).as("search"));
    EntityKey key = deleted(one);
    for (int position = 1; position <= 4; position++) {
      Expect.deleted(other.update(Some.event(position), key, CREATE));
    }
    Expect.deleted(one.update(Some.event(3), key, CREATE));
    Expect.deleted(one.update(Some.event(4), key, CREATE));
    Expect.duplicate(other.update(Some.event(4), key, CREATE));
  }
}
