package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Freshness;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.DELETES)
@DisplayName("Law 10: deletes keep their mark")
final class DeletesContract {
  private static final Change CREATE =
      change().set("status", "NEW").add("total", 1).createIfMissing();
  private static final Change REVIVE = change().set("note", "again").recreate();

  private final Scene scene;
  private final EntityStore<View> store;

  DeletesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  private void createAndDelete() {
    Expect.applied(store.update(Some.event(1), scene.key, CREATE));
    assertFalse(Expect.applied(store.delete(Some.event(2), scene.key)).created());
  }

  @Test
  @DisplayName(
      "a redelivered create stays deleted: it is Stale or Duplicate, and find gives nothing")
  void redeliveredCreate() {
    MessageId id = Some.id();
    Expect.applied(store.update(id, scene.key, CREATE));
    createAndDelete();
    Expect.stale(store.update(Some.event(1), scene.key, CREATE));
    Expect.duplicate(store.update(id, scene.key, CREATE));
    Expect.duplicate(store.apply(id, scene.key, View::new, Views::paid));
    assertEquals(Optional.empty(), store.find(scene.key));
  }

  @Test
  @DisplayName("newer events and other sources find it Deleted, and record nothing")
  void newerEvents() {
    createAndDelete();
    Map<String, Object> before = scene.raw().orElseThrow();
    Expect.deleted(store.update(Some.event(3), scene.key, CREATE));
    Expect.deleted(store.update(Some.event("Stock", "9", 1), scene.key, CREATE));
    Expect.deleted(store.apply(Some.id(), scene.key, View::new, Views::paid));
    Expect.deleted(store.delete(Some.event(3), scene.key));
    Expect.deleted(store.deleteExisting(Some.event(3), scene.key));
    Expect.deleted(store.skip(Some.event(3), scene.key));
    assertEquals(before, scene.raw().orElseThrow());
  }

  @Test
  @DisplayName("a change that says recreate revives it: marks kept, expiry gone, nothing old back")
  void recreate() {
    createAndDelete();
    Outcome.Applied<View> revived = Expect.applied(store.update(Some.event(3), scene.key, REVIVE));
    assertTrue(revived.created());
    View view = store.find(scene.key).orElseThrow();
    assertEquals("again", view.getNote());
    assertEquals(null, view.getStatus());
    assertFalse(scene.raw().orElseThrow().containsKey("deletedUntil"));
    Expect.stale(store.update(Some.event(2), scene.key, CREATE));
    Expect.duplicate(store.update(Some.event(3), scene.key, REVIVE));
    Expect.applied(store.update(Some.event(4), scene.key, CREATE));
  }

  @Test
  @DisplayName("recreate judges the marks first: the deleting event itself stays Duplicate")
  void recreateJudges() {
    createAndDelete();
    Expect.duplicate(store.update(Some.event(2), scene.key, REVIVE));
    Expect.stale(store.update(Some.event(1), scene.key, REVIVE));
    assertEquals(Optional.empty(), store.find(scene.key));
  }

  @Test
  @DisplayName("what stays is key, marks and expiry, nothing else")
  void whatStays() {
    Expect.applied(store.update(Some.id(), scene.key, CREATE.set("address", Map.of("a", "b"))));
    createAndDelete();
    Set<String> names = scene.raw().orElseThrow().keySet();
    names.removeIf(n -> n.startsWith("messageIDs") || n.startsWith("events."));
    assertEquals(Set.of("_rev", "deletedUntil"), names);
    long until = scene.clock.instant().plus(Duration.ofDays(30)).getEpochSecond();
    assertEquals(until, scene.raw().orElseThrow().get("deletedUntil"));
  }

  @Test
  @DisplayName("past its expiry a tombstone counts as absent, collected or not")
  void expired() {
    createAndDelete();
    scene.clock.move(Duration.ofDays(30).plusSeconds(1));
    Expect.missing(store.skip(Some.event(3), scene.key));
    Expect.missing(store.deleteExisting(Some.event(3), scene.key));
    assertTrue(Expect.applied(store.update(Some.event(1), scene.key, CREATE)).created());
    Map<String, Object> raw = scene.raw().orElseThrow();
    assertFalse(raw.containsKey("deletedUntil"));
    assertEquals(1L, raw.get("events.Order.4711"));
    assertEquals(1, scene.count());
  }

  @Test
  @DisplayName("of an expired tombstone's windows and ids nothing is built upon")
  void expiredWindows() {
    for (EventPolicy policy : List.of(EventPolicy.denseWindow(50), EventPolicy.sparseWindow(50))) {
      EntityKey key = Some.key();
      EntityStore<View> windows = scene.store(Tracking.defaults().events(policy));
      MessageId id = Some.id();
      Expect.applied(windows.update(id, key, CREATE));
      for (int position : new int[] {1, 2, 3, 6, 7}) {
        Expect.applied(windows.update(Some.event(position), key, CREATE));
      }
      Expect.applied(windows.delete(Some.event(8), key));
      scene.clock.move(Duration.ofDays(31));
      Expect.applied(windows.update(Some.event(1), key, CREATE));
      for (int position : new int[] {2, 3, 6, 7, 8}) {
        Expect.applied(windows.update(Some.event(position), key, CREATE));
      }
      Expect.applied(windows.update(id, key, CREATE));
    }
  }

  @Test
  @DisplayName("an expired tombstone is recreated by a function as well, without its old marks")
  void expiredApply() {
    Expect.applied(store.update(Some.event("Stock", "9", 5), scene.key, CREATE));
    createAndDelete();
    scene.clock.move(Duration.ofDays(31));
    assertTrue(
        Expect.applied(store.apply(Some.event(1), scene.key, View::new, Views::counted)).created());
    Map<String, Object> raw = scene.raw().orElseThrow();
    assertFalse(raw.containsKey("deletedUntil") || raw.containsKey("events.Stock.9"));
    Expect.applied(store.update(Some.event("Stock", "9", 5), scene.key, CREATE));
  }

  @Test
  @DisplayName("delete of an absent entity leaves a tombstone; deleteExisting leaves nothing")
  void absent() {
    Expect.missing(store.deleteExisting(Some.event(2), scene.key));
    scene.assertNothingStored("deleteExisting");
    assertFalse(Expect.applied(store.delete(Some.event(2), scene.key)).created());
    Expect.stale(store.update(Some.event(1), scene.key, CREATE));
    Expect.deleted(store.update(Some.event(3), scene.key, CREATE));
  }

  @Test
  @DisplayName("deleteExisting deletes what is there, by events of a dense source too")
  void existing() {
    EntityStore<View> dense = scene.store(Tracking.defaults().events(EventPolicy.contiguous()));
    Expect.applied(dense.update(Some.event(1), scene.key, CREATE));
    Expect.gap(dense.deleteExisting(Some.event(3), scene.key));
    Expect.applied(dense.deleteExisting(Some.event(2), scene.key));
    Expect.duplicate(dense.update(Some.event(1), scene.key, CREATE));
    Expect.applied(dense.update(Some.event(3), scene.key, REVIVE));
  }

  @Test
  @DisplayName("forget leaves nothing, not even of a tombstone; a redelivered create is new then")
  void forget() {
    Expect.applied(store.update(Some.event(1), scene.key, CREATE));
    Expect.duplicate(store.forget(Some.event(1), scene.key));
    Expect.applied(store.forget(Some.event(2), scene.key));
    scene.assertNothingStored("forget");
    Expect.deleted(store.forget(Some.event(2), scene.key));
    createAndDelete();
    Expect.applied(store.forget(Some.event(3), scene.key));
    scene.assertNothingStored("forget of a tombstone");
    assertTrue(Expect.applied(store.update(Some.event(1), scene.key, CREATE)).created());
  }

  @Test
  @DisplayName("find never returns a tombstone; waiting for the deleting event sees it")
  void find() {
    createAndDelete();
    assertEquals(Optional.empty(), store.find(scene.key));
    Freshness<View> seen = store.find(scene.key, notBefore(Some.event(2)));
    assertEquals(new Freshness.Fresh<View>(null), seen);
    assertInstanceOf(Freshness.NotYet.class, store.find(scene.key, notBefore(Some.event(3))));
  }
}
