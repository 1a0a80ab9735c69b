package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.ONE_WRITE)
@DisplayName("Law 1: a row that tracking has not written is read once, then written like any other")
final class FirstTouchContract {
  private final Scene scene;
  private final EntityStore<View> store;

  FirstTouchContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  @BeforeEach
  void untracked() {
    scene.backend.putRaw(scene.key, Map.of("status", "NEW", "total", 7L));
  }

  private void assertTouched(long total) {
    View view = store.find(scene.key).orElseThrow();
    assertEquals("NEW", view.getStatus());
    assertEquals(total, view.getTotal());
    assertTrue(scene.raw().orElseThrow().containsKey("_rev"));
  }

  @Test
  @DisplayName("the first update is applied, creates nothing, and keeps what is there")
  void update() {
    for (Message message : List.of(Some.id(), Some.event(1))) {
      untracked();
      assertFalse(
          Expect.applied(store.update(message, scene.key, change().add("total", 1))).created());
      Expect.duplicate(store.update(message, scene.key, change().add("total", 1)));
      assertTouched(8);
    }
  }

  @Test
  @DisplayName("an update that may create does not take it for absent")
  void createIfMissing() {
    assertFalse(Expect.applied(store.update(Some.event(1), scene.key, Scene.counted())).created());
    Expect.refused(
        store.update(
            Some.event(2), scene.key, Scene.counted().onlyIf(attribute("status").is("PAID"))));
    assertTouched(8);
  }

  @Test
  @DisplayName("functions, batches, records and deletes go on from it")
  void others() {
    Expect.applied(store.apply(Some.event(1), scene.key, Views::counted));
    assertTouched(8);
    untracked();
    Expect.recorded(store.skip(Some.event(1), scene.key));
    assertTouched(7);
    untracked();
    List<Write<View>> writes = List.of(scene.counts(Some.event(1)), scene.counts(Some.id()));
    store.writeAll(writes).forEach(result -> assertEquals("Applied", Words.of(result)));
    assertTouched(9);
    untracked();
    Expect.applied(store.delete(Some.event(1), scene.key));
    Expect.deleted(store.update(Some.event(2), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("a rule that is true of it lets the update pass")
  void passingRule() {
    Expect.applied(
        store.update(
            Some.id(), scene.key, change().add("total", 1).onlyIf(attribute("total").is(7))));
    untracked();
    Expect.applied(
        store.update(
            Some.event(1), scene.key, Scene.counted().onlyIf(attribute("status").is("NEW"))));
    assertTouched(8);
  }

  @Test
  @DisplayName("a refused rule leaves it untracked")
  void rule() {
    Map<String, Object> before = scene.raw().orElseThrow();
    Expect.refused(
        store.update(
            Some.event(1), scene.key, change().add("total", 1).onlyIf(attribute("total").is(9))));
    assertEquals(before, scene.raw().orElseThrow());
  }

  @Test
  @DisplayName("its first write takes one request more, the next none")
  void cost() {
    Backend.Cost first =
        scene.backend.measure(() -> store.update(Some.event(1), scene.key, Scene.counted()));
    Backend.Cost next =
        scene.backend.measure(() -> store.update(Some.event(2), scene.key, Scene.counted()));
    assertTrue(first.reads() + first.writes() <= 3, () -> "the first took " + first);
    int usual = Sizes.requestsOfOne(scene.backend);
    assertTrue(next.reads() + next.writes() <= usual, () -> "the next took " + next);
    assertTouched(9);
  }
}
