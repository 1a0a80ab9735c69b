package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BATCHES)
@DisplayName("A batch gives each message the outcome that it would have alone")
final class BatchContract {
  private final Scene scene;
  private final EntityStore<View> store;

  BatchContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store =
        scene.store(
            Tracking.defaults()
                .events("Dense", EventPolicy.contiguous())
                .events("Window", EventPolicy.denseWindow(5))
                .events("Sparse", EventPolicy.sparseWindow(5)));
  }

  private Write<View> function(Message message) {
    return Write.apply(message, scene.key, View::new, Views::counted);
  }

  private Write<View> fails(Message message) {
    return Write.apply(
        message,
        scene.key,
        view -> {
          Views.counted(view); // half changed
          throw new IllegalStateException("poison");
        });
  }

  private void assertWords(List<String> expected, List<Write<View>> writes) {
    assertEquals(expected, Words.of(store.writeAll(writes)));
  }

  @Test
  @DisplayName("of none is none")
  void empty() {
    assertEquals(List.of(), store.writeAll(List.of()));
  }

  @Test
  @DisplayName("of updates by events and ids: all applied once, the first of them creating")
  void updates() {
    List<Write<View>> writes = new ArrayList<>();
    for (int i = 1; i <= 30; i++) {
      writes.add(scene.counts(i % 3 == 0 ? Some.id() : Some.event(i)));
    }
    List<Result<View>> results = store.writeAll(writes);
    for (int i = 0; i < 30; i++) {
      Result.Judged<View> judged = (Result.Judged<View>) results.get(i);
      assertEquals(i == 0, Expect.applied(judged.outcome()).created(), "created by " + i);
      assertEquals(
          writes.get(i).message() instanceof SourceEvent event ? "" + event.position() : "none",
          Expect.applied(judged.outcome()).mark().map(m -> "" + m.highest()).orElse("none"));
    }
    assertEquals(30, scene.count());
    store.writeAll(writes).forEach(r -> assertTrue(r.isDone() && !Words.of(r).equals("Applied")));
    assertEquals(30, scene.count());
  }

  @Test
  @DisplayName("of functions: each sees what those before it left, and shows what it left itself")
  void functions() {
    List<Write<View>> writes = new ArrayList<>();
    for (int i = 1; i <= 25; i++) {
      writes.add(function(Some.event(i)));
    }
    List<Result<View>> results = store.writeAll(writes);
    results.forEach(result -> assertEquals("Applied", Words.of(result)));
    assertEquals(25, scene.count());
    assertEquals(LongStream.rangeClosed(1, 25).boxed().toList(), totals(results));
  }

  @Test
  @DisplayName("of functions shows no outcome what a later one does to the entity in its place")
  void shownEntities() {
    Message old = Some.id();
    Message second = Some.id();
    Expect.applied(store.update(old, scene.key, Scene.counted()));
    Function<View, Decision<View>> refusing =
        view -> {
          Views.counted(view);
          return Decision.refuse();
        };
    Function<View, Decision<View>> skipping =
        view -> {
          Views.counted(view);
          return Decision.skip();
        };
    List<Result<View>> results =
        store.writeAll(
            List.of(
                function(old),
                Write.decide(Some.id(), scene.key, refusing),
                function(old),
                function(second),
                fails(Some.id()),
                Write.decide(Some.id(), scene.key, skipping),
                function(second),
                Write.apply(Some.id(), scene.key, view -> view),
                Write.decide(Some.id(), scene.key, refusing),
                function(Some.id())));
    assertEquals(
        List.of(
            "Duplicate",
            "Refused",
            "Duplicate",
            "Applied",
            "IllegalStateException",
            "Refused",
            "Duplicate",
            "Recorded",
            "Refused",
            "Applied"),
        Words.of(results));
    assertEquals(List.of(1L, 1L, 1L, 2L, -1L, 2L, 2L, 2L, 2L, 3L), totals(results));
    assertEquals(3, scene.count());
  }

  /** The totals that outcomes show; -1 for a fault. */
  private static List<Long> totals(List<Result<View>> results) {
    return results.stream()
        .map(
            result ->
                result
                    .outcomeIfJudged()
                    .flatMap(Outcome::entity)
                    .map(view -> Objects.requireNonNull(view.getTotal()))
                    .orElse(-1L))
        .toList();
  }

  @Test
  @DisplayName("with a message twice applies it once; one that was there before is Duplicate")
  void duplicates() {
    Message id = Some.id();
    Message old = Some.id();
    Expect.applied(store.update(old, scene.key, Scene.counted()));
    assertWords(
        List.of("Applied", "Duplicate", "Applied", "Duplicate", "Duplicate", "Applied"),
        List.of(
            scene.counts(id),
            scene.counts(id),
            scene.counts(Some.event(7)),
            scene.counts(Some.event(7)),
            scene.counts(old),
            scene.counts(Some.event(8))));
    assertEquals(4, scene.count());
    assertWords(
        List.of("Duplicate", "Applied", "Duplicate"),
        List.of(function(id), function(Some.event(9)), function(Some.event(9))));
    assertEquals(5, scene.count());
    assertWords(List.of("Duplicate", "Applied"), List.of(scene.counts(old), function(Some.id())));
    assertWords(List.of("Duplicate", "Applied"), List.of(function(old), scene.counts(Some.id())));
    assertEquals(7, scene.count());
  }

  @Test
  @DisplayName("in windows applies events of any order once each")
  void windows() {
    List<Write<View>> writes = new ArrayList<>();
    for (String type : List.of("Window", "Sparse")) {
      for (int position : new int[] {2, 1, 4, 4, 3, 6, 5}) {
        writes.add(scene.counts(Some.event(type, "1", position)));
      }
    }
    List<String> expected =
        List.of("Applied", "Applied", "Applied", "Duplicate", "Applied", "Applied", "Applied");
    List<String> twice = new ArrayList<>(expected);
    twice.addAll(expected);
    assertWords(twice, writes);
    assertEquals(12, scene.count());
  }

  @Test
  @DisplayName("with a function that fails: it fails alone, its source waits, others go on")
  void poison() {
    List<Result<View>> results =
        store.writeAll(
            List.of(
                function(Some.event(1)),
                fails(Some.event(2)),
                function(Some.event(3)),
                function(Some.event("Other", "1", 1)),
                fails(Some.id()),
                function(Some.id())));
    assertEquals(
        List.of(
            "Applied",
            "IllegalStateException",
            "HeldBack",
            "Applied",
            "IllegalStateException",
            "Applied"),
        Words.of(results));
    assertEquals(3, scene.count());
    assertWords(List.of("Applied"), List.of(function(Some.event(2))));
  }

  @Test
  @DisplayName("with a change that does not fit: it fails alone, wherever it stands")
  void misfit() {
    for (int at = 0; at < 9; at++) {
      EntityKey key = Some.key();
      List<Write<View>> writes = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        boolean wrong = i == at;
        Change change = wrong ? change().set("address.city", "Ulm") : Scene.counted();
        writes.add(Write.update(Some.id(), key, change));
        expected.add(wrong ? (at == 0 ? "Missing" : "InvalidChangeException") : "Applied");
      }
      assertEquals(expected, Words.of(store.writeAll(writes)), "at " + at);
      assertEquals(8, scene.count(key), "at " + at);
    }
  }

  @Test
  @DisplayName("mixes updates, conditions, functions, deletes and creates of one entity")
  void mixed() {
    Change ifPaid = change().add("total", 10).onlyIf(attribute("status").is("PAID"));
    assertWords(
        List.of("Missing", "Applied", "Refused", "Applied", "Applied", "Applied", "Deleted"),
        List.of(
            Write.update(Some.id(), scene.key, change().add("total", 1)),
            scene.counts(Some.event(1)),
            Write.update(Some.id(), scene.key, ifPaid),
            Write.apply(Some.event(2), scene.key, Views::paid),
            Write.update(Some.id(), scene.key, ifPaid),
            Write.delete(Some.event(3), scene.key),
            scene.counts(Some.event(4))));
    assertTrue(store.find(scene.key).isEmpty());
    assertWords(
        List.of("Duplicate", "Applied", "Recorded", "Duplicate", "Applied", "Missing"),
        List.of(
            Write.deleteExisting(Some.event(3), scene.key),
            Write.update(Some.event(5), scene.key, Scene.counted().recreate()),
            Write.skip(Some.id(), scene.key),
            scene.counts(Some.event(5)),
            Write.forget(Some.event(6), scene.key),
            Write.update(Some.event(7), scene.key, change().add("total", 1))));
    scene.assertNothingStored("forget");
  }

  @Test
  @DisplayName("composes every operation as it would be made one after the other")
  void composes() {
    List<Change> changes =
        List.of(
            change().createIfMissing().set("status", "A").add("total", 1).append("lines", "a"),
            change().setIfAbsent("status", "B").add("total", 2).append("lines", "b", "c"),
            change().addToSet("tags", "x").remove("status").add("total", 1L << 40),
            change().addToSet("tags", "y", "x").setIfAbsent("status", "C"),
            change().removeFromSet("tags", "y").setIfAbsent("note", "first"),
            change().removeFromSet("tags", "z").set("note", "second").append("lines", "a"),
            change().set("lines", List.of("new")).remove("note"),
            change().append("lines", "d").add("total", -3).set("note", "third"));
    List<Write<View>> writes = new ArrayList<>();
    EntityKey alone = Some.key();
    for (int i = 0; i < changes.size(); i++) {
      writes.add(Write.update(Some.event(i + 1), scene.key, changes.get(i)));
      Expect.applied(store.update(Some.event(i + 1), alone, changes.get(i)));
    }
    store.writeAll(writes).forEach(result -> assertEquals("Applied", Words.of(result)));
    View one = store.find(alone).orElseThrow();
    one.setId((String) scene.key.parts().get(0));
    assertEquals(one, store.find(scene.key).orElseThrow());
  }

  @Test
  @DisplayName("lets a function see what a record before it has created")
  void recordThenFunction() {
    assertWords(
        List.of("Applied", "Gap", "Applied"),
        List.of(
            Write.update(Some.id(), scene.key, change().createIfMissing()),
            scene.counts(Some.event("Dense", "1", 5)),
            Write.apply(Some.id(), scene.key, Views::counted)));
    assertEquals(1, scene.count());
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("whose reply is lost is applied, once; of updates, and of functions, creating too")
  void lostReply() {
    for (int round = 0; round < 4; round++) {
      boolean functions = round % 2 == 0;
      List<Write<View>> writes = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        writes.add(functions ? function(Some.id()) : scene.counts(Some.id()));
      }
      scene.backend.faults().loseReplies(1, () -> {});
      List<String> words = Words.of(store.writeAll(writes));
      scene.backend.faults().heal();
      assertEquals(List.of("Applied", "Applied", "Applied"), words, "round " + round);
      assertEquals(3L * (round + 1), scene.count());
    }
  }
}
