package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BATCHES)
@DisplayName("A batch keeps the order of sources and lanes, and holds back only what waits for it")
final class BatchOrderContract {
  private final Scene scene;
  private final EntityStore<View> store;

  BatchOrderContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store(Tracking.defaults().events("Dense", EventPolicy.contiguous()));
  }

  private void assertWords(List<String> expected, List<Write<View>> writes) {
    assertEquals(expected, Words.of(store.writeAll(writes)));
  }

  @Test
  @DisplayName("puts the events of a source in order: none is Stale for what comes before it")
  void order() {
    assertWords(
        List.of("Applied", "Applied", "Applied", "Applied"),
        List.of(
            Write.update(Some.event(6), scene.key, change().createIfMissing().append("lines", "6")),
            Write.update(Some.event(4), scene.key, change().createIfMissing().append("lines", "4")),
            Write.update(Some.event(5), scene.key, change().createIfMissing().append("lines", "5")),
            Write.update(Some.event("Other", "1", 1), scene.key, change().add("total", 1))));
    assertEquals(List.of("4", "5", "6"), store.find(scene.key).orElseThrow().getLines());
  }

  @Test
  @DisplayName("with a gap holds back what is behind it in its source, and nothing else")
  void gap() {
    List<Result<View>> results =
        store.writeAll(
            List.of(
                scene.counts(Some.event("Dense", "1", 4)),
                scene.counts(Some.event("Dense", "1", 5)),
                scene.counts(Some.event("Dense", "1", 1)),
                scene.counts(Some.event("Dense", "2", 1)),
                scene.counts(Some.id())));
    assertEquals(List.of("Gap", "HeldBack", "Applied", "Applied", "Applied"), Words.of(results));
    assertEquals(Some.event("Dense", "1", 4), ((Result.HeldBack<View>) results.get(1)).behind());
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("lets no more events pass an undone one than its window holds, whatever lanes do")
  void windowAndLanes() {
    EntityStore<View> sparse =
        scene.store(Tracking.defaults().events("Sparse", EventPolicy.sparseWindow(2)));
    Expect.applied(sparse.update(Some.id(), scene.key, Scene.counted().set("status", "NEW")));
    Change never = change().add("total", 1).onlyIf(attribute("status").is("PAID"));
    List<Write<View>> writes =
        List.of(
            Write.<View>update(Some.id(), Some.key(), Scene.counted()).inLane("lane"),
            Write.update(Some.event("Sparse", "1", 1), scene.key, never),
            Write.<View>update(Some.id(), scene.key, Scene.counted()).inLane("lane"),
            scene.counts(Some.event("Sparse", "1", 2)),
            scene.counts(Some.event("Sparse", "1", 3)),
            scene.counts(Some.event("Sparse", "1", 4)));
    assertEquals(
        List.of("Applied", "Refused", "Applied", "Applied", "Applied", "HeldBack"),
        Words.of(sparse.writeAll(writes)));
    Expect.applied(sparse.update(Some.event("Sparse", "1", 1), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("holds nothing back that is before an undone event, wherever it stands")
  void before() {
    for (int i = 1; i <= 14; i++) {
      Expect.applied(store.update(Some.event("Dense", "1", i), scene.key, Scene.counted()));
    }
    assertWords(
        List.of("Gap", "Applied"),
        List.of(
            scene.counts(Some.event("Dense", "1", 17)),
            scene.counts(Some.event("Dense", "1", 15))));
    Write<View> late = scene.counts(Some.event("Dense", "1", 16));
    assertWords(
        List.of("Applied", "Applied", "Duplicate"),
        List.of(scene.counts(Some.event("Dense", "1", 17)), late, late));
    assertEquals(17, scene.count());
  }

  @Test
  @DisplayName("keeps the order of lanes from one entity to another")
  void lanes() {
    EntityKey other = Some.key();
    EntityKey third = Some.key();
    Change missing = change().add("total", 1);
    List<Write<View>> writes =
        List.of(
            scene.counts(Some.event("L", "1", 1)).inLane("a"),
            Write.<View>update(Some.event("L", "2", 1), other, missing).inLane("a"),
            scene.counts(Some.event("L", "1", 2)).inLane("a"),
            scene.counts(Some.event("L", "3", 1)).inLane("b"),
            Write.<View>update(Some.event("L", "4", 1), third, Scene.counted()).inLane("b"),
            scene.counts(Some.event("L", "5", 1)));
    List<Result<View>> results = store.writeAll(writes);
    assertEquals(
        List.of("Applied", "Missing", "HeldBack", "Applied", "Applied", "Applied"),
        Words.of(results));
    assertSame(writes.get(1).message(), ((Result.HeldBack<View>) results.get(2)).behind());
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("holds nothing back behind what comes after it, however far lanes lead")
  void lanesOfSources() {
    EntityKey waits = Some.key();
    assertWords(
        List.of("Gap", "Applied", "Applied", "Applied", "Applied", "HeldBack"),
        List.of(
            scene.counts(Some.event("Dense", "1", 5)).inLane("stopped"),
            Write.<View>update(Some.id(), Some.key(), Scene.counted()).inLane("long"),
            Write.<View>update(Some.id(), Some.key(), Scene.counted()).inLane("long"),
            Write.<View>update(Some.id(), waits, Scene.counted()).inLane("long"),
            Write.update(Some.event("L", "1", 1), waits, Scene.counted()),
            Write.<View>update(Some.event("L", "1", 2), waits, Scene.counted()).inLane("stopped")));
    assertEquals(2, scene.count(waits));
  }
}
