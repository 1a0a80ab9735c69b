package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BOUNDED)
@DisplayName("Law 8: marks of sources are kept within a stated bound")
final class BoundedSourcesContract {
  private static final int WINDOW = 50;

  private final Scene scene;
  private final int messages;

  BoundedSourcesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.messages = Sizes.messages(backend);
  }

  private int seen() {
    Object seen = scene.raw().orElseThrow().get("events.Order.4711#seen");
    return seen instanceof Collection<?> positions ? positions.size() : 0;
  }

  /** Position of the n-th delivery: blocks of 8, each delivered backwards. */
  private static long disordered(int n) {
    return 8L * (n / 8) + (7 - n % 8) + 1;
  }

  private void deliver(EventPolicy policy, int stride) {
    EntityStore<View> store = scene.store(Tracking.defaults().events(policy));
    double requests = 0;
    for (int i = 0; i < messages; i++) {
      SourceEvent event = Some.event(disordered(i) * stride);
      Backend.Cost cost =
          scene.backend.measure(
              () -> Expect.applied(store.update(event, scene.key, Scene.counted())));
      requests += cost.reads() + cost.writes();
      if (i % (messages / 50) == 0) {
        Expect.duplicate(store.update(event, scene.key, Scene.counted()));
        assertTrue(seen() <= WINDOW + 20, () -> seen() + " positions");
      }
    }
    assertEquals(messages, scene.count());
    double sum = requests;
    assertTrue(
        sum <= Sizes.requests(scene.backend) * messages, () -> sum + " requests for " + messages);
  }

  @Test
  @DisplayName("a dense window in disorder: one request an event, at most window and 20 positions")
  void denseWindow() {
    deliver(EventPolicy.denseWindow(WINDOW), 1);
  }

  @Test
  @DisplayName("a sparse window in disorder: one request an event, at most window and 20 positions")
  void sparseWindow() {
    deliver(EventPolicy.sparseWindow(WINDOW), 3);
  }

  @Test
  @DisplayName("one source more than maxSources is TooLargeException before the write")
  void maxSources() {
    Tracking tracking = Tracking.defaults().maxSources(3);
    EntityStore<View> store = scene.store(tracking);
    for (int source = 1; source <= 3; source++) {
      Expect.applied(store.update(Some.event("S", "" + source, 1), scene.key, Scene.counted()));
    }
    Map<String, Object> before = scene.raw().orElseThrow();
    assertThrows(
        TooLargeException.class,
        () -> store.update(Some.event("S", "4", 1), scene.key, Scene.counted()));
    assertThrows(
        TooLargeException.class,
        () -> store.apply(Some.event("S", "4", 1), scene.key, Views::counted));
    assertThrows(TooLargeException.class, () -> store.delete(Some.event("S", "4", 1), scene.key));
    assertEquals(before, scene.raw().orElseThrow());
    Expect.applied(store.update(Some.event("S", "2", 2), scene.key, Scene.counted()));
    Expect.duplicate(store.update(Some.event("S", "2", 2), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    assertEquals(5, scene.count());
  }

  @Test
  @DisplayName("the bound holds after the marks of a known source are rewritten")
  void maxSourcesAfterRewrite() {
    Tracking tracking = Tracking.defaults().maxSources(3).events(EventPolicy.denseWindow(3));
    EntityStore<View> store = scene.store(tracking);
    for (int source = 1; source <= 3; source++) {
      Expect.applied(store.update(Some.event("S", "" + source, 1), scene.key, Scene.counted()));
    }
    SourceEvent again = SourceEvent.of(Source.of("S", "1").generation(1), Position.of(1));
    Expect.applied(store.update(again, scene.key, Scene.counted()));
    for (int position = 2; position <= 60; position++) { // now and then a window is compacted
      SourceEvent next = Some.event("S", "2", position);
      Expect.applied(
          position % 2 == 0
              ? store.update(next, scene.key, Scene.counted())
              : store.apply(next, scene.key, Views::counted));
      assertFull(store);
    }
    assertEquals(63, scene.count());
  }

  private void assertFull(EntityStore<View> store) {
    assertFull(store, "4");
  }

  private void assertFull(EntityStore<View> store, String source) {
    SourceEvent fresh = Some.event("S", source, 1);
    assertThrows(TooLargeException.class, () -> store.update(fresh, scene.key, Scene.counted()));
    assertThrows(TooLargeException.class, () -> store.apply(fresh, scene.key, Views::counted));
  }

  @Test
  @DisplayName("retire drops a source's mark in the write that ends it, and makes room")
  void retire() {
    EntityStore<View> store =
        scene.store(Tracking.defaults().maxSources(2).events(EventPolicy.denseWindow(3)));
    Expect.applied(store.update(Some.event("S", "1", 2), scene.key, Scene.counted()));
    Expect.applied(store.update(Some.event("S", "2", 1), scene.key, Scene.counted()));
    Change last = change().add("total", 1).retire(Source.of("S", "1"));
    Expect.applied(store.update(Some.event("S", "2", 2), scene.key, last));
    assertTrue(
        scene.raw().orElseThrow().keySet().stream().noneMatch(n -> n.startsWith("events.S.1")));
    Expect.applied(store.update(Some.event("S", "3", 1), scene.key, Scene.counted()));
    assertThrows(
        TooLargeException.class,
        () -> store.update(Some.event("S", "1", 1), scene.key, Scene.counted()));
    assertEquals(4, scene.count());
  }

  @Test
  @DisplayName("the write that drops a source's mark has room for a new source itself")
  void retireForAnother() {
    EntityStore<View> store = scene.store(Tracking.defaults().maxSources(1));
    Expect.applied(store.update(Some.event("S", "1", 1), scene.key, Scene.counted()));
    for (int source = 2; source <= 4; source++) {
      Change next = change().add("total", 1).retire(Source.of("S", "" + (source - 1)));
      Expect.applied(store.update(Some.event("S", "" + source, 1), scene.key, next));
      assertFull(store, "" + (source + 1));
    }
    assertEquals(4, scene.count());
  }
}
