package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.COMPARISON)
@DisplayName("Law 6: an explicit null where tracking keeps something is a missing mark")
final class NullMarksContract {
  private static final String MARK = "events.Order.4711";

  /** What other tools may have set to null: each alone, and all together. */
  private static final List<List<String>> NULLS = new ArrayList<>();

  static {
    List<String> all =
        List.of(
            "deletedUntil",
            "_rev",
            "_born",
            "messageIDs",
            "messageIDs#1",
            "messageIDs#since",
            "messageIDs#closed",
            "events#full",
            MARK,
            MARK + "#floor",
            MARK + "#seen",
            MARK + "#horizon",
            MARK + "#generation");
    all.forEach(name -> NULLS.add(List.of(name)));
    NULLS.add(all);
  }

  private static final List<Tracking> TRACKINGS =
      List.of(
          Tracking.defaults(),
          Tracking.defaults().events(EventPolicy.contiguous()).messageIds(IdPolicy.forEver()),
          Tracking.defaults().events(EventPolicy.denseWindow(5)).messageIds(IdPolicy.last(5)),
          Tracking.defaults().events(EventPolicy.sparseWindow(5)));

  private final Backend backend;
  private final Scene scene;

  NullMarksContract(Backend backend) {
    this.backend = backend;
    this.scene = new Scene(backend);
  }

  /** A view of another tool's, in which marks are null. */
  private EntityKey stored(List<String> nulls) {
    EntityKey key = Some.key();
    backend.putRaw(key, Map.of("status", "NEW", "total", 0L));
    backend.putNull(key, Set.copyOf(nulls));
    return key;
  }

  /** What is done to a view by a fresh message. */
  private interface Call {
    Outcome<View> make(EntityStore<View> store, Message message, EntityKey key);
  }

  /** Every call on every stored view under every policy, by an event and by a message ID. */
  private void forAll(boolean counts, Call call) {
    for (List<String> nulls : NULLS) {
      for (Tracking tracking : TRACKINGS) {
        for (Message message : List.<Message>of(Some.event(1), Some.id())) {
          EntityKey key = stored(nulls);
          String at = nulls + " null, " + tracking + ", " + message;
          EntityStore<View> store = scene.store(tracking);
          assertTrue(store.find(key).isPresent(), at);
          Outcome<View> first = call.make(store, message, key);
          assertTrue(
              counts ? first.isApplied() : first instanceof Outcome.Recorded,
              () -> first + " at " + at);
          Outcome<View> second = call.make(store, message, key);
          assertTrue(second instanceof Outcome.Duplicate, () -> second + " again at " + at);
          assertEquals(counts ? 1 : 0, scene.count(key), at);
        }
      }
    }
  }

  @Test
  @DisplayName("a change is applied, once; a redelivery is Duplicate")
  void update() {
    forAll(true, (store, message, key) -> store.update(message, key, Scene.counted()));
  }

  @Test
  @DisplayName("a true rule is not Refused; a false one is, and can be recorded")
  void rule() {
    Change ruled = Scene.counted().onlyIf(attribute("status").is("NEW"));
    forAll(true, (store, message, key) -> store.update(message, key, ruled));
    Change refused = Scene.counted().onlyIf(attribute("status").is("PAID"));
    for (List<String> nulls : NULLS) {
      EntityKey key = stored(nulls);
      EntityStore<View> store = scene.store();
      assertFalse(Expect.refused(store.update(Some.event(1), key, refused)).recorded());
      Change skips = refused.otherwiseSkip();
      assertTrue(Expect.refused(store.update(Some.event(1), key, skips)).recorded());
      Expect.duplicate(store.update(Some.event(1), key, ruled));
      assertEquals(0, scene.count(key));
    }
  }

  @Test
  @DisplayName("a function is applied, once")
  void apply() {
    forAll(true, (store, message, key) -> store.apply(message, key, Views::counted));
  }

  @Test
  @DisplayName("skip records, delete leaves a tombstone of what is not null")
  void skipAndDelete() {
    forAll(false, (store, message, key) -> store.skip(message, key));
    for (List<String> nulls : NULLS) {
      for (Message message : List.<Message>of(Some.event(1), Some.id())) {
        EntityKey key = stored(nulls);
        EntityStore<View> store = scene.store();
        Expect.applied(store.delete(message, key));
        assertTrue(store.find(key).isEmpty());
        Expect.duplicate(store.update(message, key, Scene.counted()));
        Expect.deleted(store.update(Some.event(9), key, Scene.counted()));
        Expect.applied(store.forget(Some.event(10), stored(nulls)));
      }
    }
  }

  @Test
  @DisplayName("batches apply what single calls do")
  void batches() {
    for (List<String> nulls : NULLS) {
      for (Tracking tracking : TRACKINGS) {
        EntityKey updated = stored(nulls);
        EntityKey called = stored(nulls);
        MessageId id = Some.id();
        List<Write<View>> writes = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
          writes.add(Write.update(Some.event(i), updated, Scene.counted()));
          writes.add(Write.apply(Some.event(i), called, Views::counted));
        }
        writes.add(Write.update(id, updated, Scene.counted()));
        writes.add(Write.apply(id, called, Views::counted));
        EntityStore<View> store = scene.store(tracking);
        String at = nulls + " null, " + tracking;
        store.writeAll(writes).forEach(result -> assertEquals("Applied", Words.of(result), at));
        store.writeAll(writes).forEach(result -> assertTrue(result.isDone(), at));
        assertEquals(4, scene.count(updated), at);
        assertEquals(4, scene.count(called), at);
      }
    }
  }
}
