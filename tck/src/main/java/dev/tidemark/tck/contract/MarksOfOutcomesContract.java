package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Mark;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTCOMES)
@DisplayName(
    "An outcome's mark is what the entity remembers after it, on every store and in batches")
final class MarksOfOutcomesContract {
  private final Scene scene;
  private final EntityStore<View> store;

  MarksOfOutcomesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store =
        scene.store(
            Tracking.defaults()
                .events("Dense", EventPolicy.contiguous())
                .events("Window", EventPolicy.denseWindow(5))
                .events("Sparse", EventPolicy.sparseWindow(5)));
  }

  private static String mark(Outcome<View> outcome) {
    Optional<Mark> mark =
        outcome instanceof Outcome.Duplicate<View> duplicate
            ? duplicate.mark()
            : outcome instanceof Outcome.Stale<View> stale
                ? Optional.of(stale.mark())
                : Expect.applied(outcome).mark();
    return mark.map(m -> m.highest().toString()).orElse("none");
  }

  private List<String> marks(List<Write<View>> writes) {
    List<String> marks = new ArrayList<>();
    for (Result<View> result : store.writeAll(writes)) {
      marks.add(mark(((Result.Judged<View>) result).outcome()));
    }
    return marks;
  }

  private String counted(SourceEvent event) {
    return mark(store.update(event, scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("none where the change takes it away: forget, and a retired source of its own")
  void erased() {
    SourceEvent first = Some.event(1);
    assertEquals("1", counted(first));
    SourceEvent last = Some.event(2);
    assertEquals("none", mark(store.update(last, scene.key, change().retire(last.source()))));
    assertEquals("3", counted(Some.event("Other", "1", 3)));
    assertEquals(
        "4",
        mark(store.update(Some.event("Other", "1", 4), scene.key, change().retire(last.source()))));
    assertEquals("none", mark(store.forget(Some.event("Other", "1", 5), scene.key)));
    assertEquals("1", counted(first));
    assertEquals(
        List.of("2", "none", "4", "none"),
        marks(
            List.of(
                scene.counts(last),
                Write.update(Some.event(3), scene.key, change().retire(last.source())),
                scene.counts(Some.event("Other", "1", 4)),
                Write.forget(Some.event("Other", "1", 5), scene.key))));
  }

  @Test
  @DisplayName("of a delete it is kept on the tombstone")
  void deleted() {
    assertEquals("1", counted(Some.event(1)));
    assertEquals("2", mark(store.delete(Some.event(2), scene.key)));
    assertEquals("2", mark(store.delete(Some.event(2), scene.key)));
  }

  @Test
  @DisplayName("in a window the highest, alone; a batch tells none of windows")
  void windows() {
    for (String type : List.of("Window", "Sparse")) {
      assertEquals("4", counted(Some.event(type, "1", 4)));
      assertEquals("4", counted(Some.event(type, "1", 2)));
      assertEquals("4", counted(Some.event(type, "1", 2)));
      List<Write<View>> writes = new ArrayList<>();
      for (int position : new int[] {2, 6, 3}) {
        writes.add(scene.counts(Some.event(type, "1", position)));
      }
      assertEquals(List.of("none", "none", "none"), marks(writes), type);
      SourceEvent event = Some.event(type, "1", 5);
      assertEquals(
          List.of("none"), marks(List.of(Write.apply(event, scene.key, Views::counted))), type);
      assertEquals("6", counted(Some.event(type, "1", 1)));
    }
  }

  @Test
  @DisplayName("in a batch each has its own, not that of the write that it shares")
  void batches() {
    for (String type : List.of("Order", "Dense")) {
      List<Write<View>> updates = new ArrayList<>();
      List<Write<View>> functions = new ArrayList<>();
      for (int position : new int[] {2, 1, 1, 3}) {
        updates.add(scene.counts(Some.event(type, "1", position)));
        SourceEvent later = Some.event(type, "1", position + 3);
        functions.add(Write.apply(later, scene.key, Views::counted));
      }
      assertEquals(List.of("2", "1", "1", "3"), marks(updates), type);
      assertEquals(List.of("5", "4", "4", "6"), marks(functions), type);
      assertEquals(List.of("6", "6", "6", "6"), marks(functions), type);
    }
  }
}
