package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.APPLY)
@DisplayName("A function over an entity loses no update")
final class ApplyContract {
  private final Scene scene;
  private final EntityStore<View> store;

  ApplyContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  @Test
  @DisplayName("a tracked write between read and write makes the function run again: both count")
  void writerInBetween() {
    Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    AtomicInteger runs = new AtomicInteger();
    UnaryOperator<View> disturbed =
        view -> {
          if (runs.incrementAndGet() == 1) {
            Expect.applied(scene.store().update(Some.id(), scene.key, Scene.counted()));
          }
          return Views.counted(view);
        };
    Outcome<View> outcome = store.apply(Some.id(), scene.key, disturbed);
    Expect.applied(outcome);
    assertEquals(2, runs.get());
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("two nodes that create at once: one creates, the other runs again on what it made")
  void createRace() {
    AtomicInteger runs = new AtomicInteger();
    UnaryOperator<View> disturbed =
        view -> {
          if (runs.incrementAndGet() == 1) {
            Expect.applied(scene.store().update(Some.id(), scene.key, Scene.counted()));
          }
          return Views.counted(view);
        };
    assertFalse(Expect.applied(store.apply(Some.id(), scene.key, View::new, disturbed)).created());
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("the same message in between is Duplicate: the function's work is thrown away")
  void sameMessageInBetween() {
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    MessageId id = Some.id();
    UnaryOperator<View> disturbed =
        view -> {
          scene.store().update(id, scene.key, Scene.counted()).entity();
          return Views.counted(view);
        };
    Expect.duplicate(store.apply(id, scene.key, disturbed));
    assertEquals(2, scene.count());
  }

  @Test
  @DisplayName("attributes that the mapper does not know stay; a property set to null goes")
  void unknownAttributes() {
    Map<String, Object> stored =
        Map.of("status", "NEW", "note", "x", "legacy", "kept", "nested", Map.of("a", List.of(1L)));
    scene.backend.putRaw(scene.key, stored);
    Outcome<View> outcome =
        store.apply(
            Some.id(),
            scene.key,
            view -> {
              view.setNote(null);
              view.setTags(Set.of("t"));
              return view;
            });
    Expect.applied(outcome);
    Map<String, Object> raw = scene.raw().orElseThrow();
    assertEquals("kept", raw.get("legacy"));
    assertEquals(Map.of("a", List.of(1L)), raw.get("nested"));
    assertEquals("NEW", raw.get("status"));
    assertFalse(raw.containsKey("note"));
    assertEquals(Set.of("t"), store.find(scene.key).orElseThrow().getTags());
  }

  @Test
  @DisplayName("an equal result records the message alone: Recorded, done, with entity and mark")
  void equalResult() {
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted().set("note", "n")));
    View before = store.find(scene.key).orElseThrow();
    Outcome.Recorded<View> same =
        Expect.recorded(store.apply(Some.event(2), scene.key, view -> view));
    assertTrue(same.isDone() && !same.isApplied());
    assertEquals(before, same.entity().orElseThrow());
    assertEquals(Position.of(2), same.mark().orElseThrow().highest());
    Expect.duplicate(store.apply(Some.event(2), scene.key, Views::counted));
    assertEquals(before, store.find(scene.key).orElseThrow());
    Expect.recorded(store.apply(Some.id(), scene.key, ApplyContract::sameAgain));
    assertEquals(before, store.find(scene.key).orElseThrow());
  }

  /** Changes the object that it was given, and takes that back. */
  private static View sameAgain(View view) {
    Long total = view.getTotal();
    Views.counted(view).setTotal(total);
    return view;
  }

  @Test
  @DisplayName("what a function creates is Applied, also where it is the initial value")
  void equalInitial() {
    Outcome<View> created = store.apply(Some.id(), scene.key, Views::placed, view -> view);
    assertTrue(Expect.applied(created).created());
    Expect.recorded(store.apply(Some.id(), scene.key, Views::placed, view -> view));
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("a lost reply of an equal result is still Recorded")
  void equalResultLost() {
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    scene.backend.faults().loseReplies(1, () -> {});
    Outcome<View> outcome = store.apply(Some.event(2), scene.key, view -> view);
    scene.backend.faults().heal();
    Expect.recorded(outcome);
    Expect.duplicate(store.apply(Some.event(2), scene.key, Views::counted));
  }

  @Test
  @DisplayName("in a batch each function is told of what it changed itself, in what others left")
  void equalResultsInBatch() {
    List<Write<View>> writes =
        List.of(
            Write.apply(Some.id(), scene.key, Views::placed, Views::counted),
            Write.apply(Some.id(), scene.key, view -> view),
            Write.apply(Some.id(), scene.key, Views::counted),
            Write.skip(Some.id(), scene.key),
            Write.apply(Some.id(), scene.key, ApplyContract::sameAgain));
    List<String> words = List.of("Applied", "Recorded", "Applied", "Recorded", "Recorded");
    assertEquals(words, Words.of(store.writeAll(writes)));
    assertEquals(2, scene.count());
    assertEquals(
        List.of("Duplicate"), Words.of(store.writeAll(writes)).stream().distinct().toList());
  }

  @Test
  @DisplayName("what the function throws reaches the caller, with nothing written; so does null")
  void failures() {
    RuntimeException own = new IllegalStateException("the function's own");
    UnaryOperator<View> throwing =
        view -> {
          throw own;
        };
    Throwable thrown =
        assertThrows(
            IllegalStateException.class,
            () -> store.apply(Some.event(1), scene.key, View::new, throwing));
    assertSame(own, thrown);
    assertThrows(
        RuntimeException.class,
        () -> store.apply(Some.event(1), scene.key, View::new, Views::nothing));
    scene.assertNothingStored("a failing function");
    Expect.applied(store.apply(Some.event(1), scene.key, View::new, Views::counted));
    Map<String, Object> before = scene.raw().orElseThrow();
    assertThrows(
        IllegalStateException.class, () -> store.apply(Some.event(2), scene.key, throwing));
    assertThrows(
        RuntimeException.class, () -> store.apply(Some.event(2), scene.key, Views::nothing));
    assertEquals(before, scene.raw().orElseThrow());
    Expect.applied(store.apply(Some.event(2), scene.key, Views::counted));
  }

  @Test
  @DisplayName("a function that changes the key is refused, with nothing written")
  void keyChange() {
    UnaryOperator<View> renaming =
        view -> {
          view.setId("other");
          return view;
        };
    assertThrows(
        IllegalArgumentException.class,
        () -> store.apply(Some.id(), scene.key, View::new, renaming));
    scene.assertNothingStored("a changed key");
  }

  @Test
  @DisplayName(
      "a missing entity starts from the initial value, with its key; a deleted one does not")
  void initial() {
    UnaryOperator<View> keyed =
        view -> {
          assertEquals(scene.key.parts().get(0), view.getId());
          return Views.counted(view);
        };
    Outcome.Applied<View> created =
        Expect.applied(store.apply(Some.event(1), scene.key, Views::placed, keyed));
    assertTrue(created.created());
    View view = store.find(scene.key).orElseThrow();
    assertEquals("PLACED", view.getStatus());
    assertEquals(1L, view.getTotal());
    Expect.missing(store.apply(Some.event(1), Some.key(), Views::paid));
    Expect.applied(store.delete(Some.event(2), scene.key));
    Expect.deleted(store.apply(Some.event(3), scene.key, Views::placed, keyed));
  }

  @Test
  @DisplayName("nested maps, lists and sets are written as the function left them")
  void collections() {
    Expect.applied(store.apply(Some.event(1), scene.key, View::new, Views::full));
    View full = store.find(scene.key).orElseThrow();
    assertEquals(Map.of("city", "Ulm", "$zip.x", "%"), full.getAddress());
    assertEquals(List.of("b", "a", "b"), full.getLines());
    assertEquals(Set.of("x", "$y"), full.getTags());
    Expect.applied(store.apply(Some.event(2), scene.key, Views::counted));
    assertEquals(full.getAddress(), store.find(scene.key).orElseThrow().getAddress());
  }
}
