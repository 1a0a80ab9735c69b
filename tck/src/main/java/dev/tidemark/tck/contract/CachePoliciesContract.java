package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.CACHE)
@DisplayName("A cache of marks answers what was proven under the policy that asks")
final class CachePoliciesContract {
  private static final Tracking TRACKING =
      Tracking.defaults()
          .events("Dense", EventPolicy.contiguous())
          .events("Window", EventPolicy.denseWindow(5))
          .events("Sparse", EventPolicy.sparseWindow(5));

  private final Scene scene;
  private final MarkCache cache = MarkCache.in(new ConcurrentHashMap<>());
  private final EntityStore<View> store;

  CachePoliciesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = cached(TRACKING);
  }

  private EntityStore<View> cached(Tracking tracking) {
    return scene.backend.views(tracking, scene.clock, cache);
  }

  private static Message dense(int position) {
    return Some.event("Dense", "1", position);
  }

  @Test
  @DisplayName("a mark of a window is no floor: what is missing below it is applied, not recalled")
  void belowWindow() {
    EntityStore<View> window = scene.store(Tracking.defaults().events(EventPolicy.denseWindow(16)));
    for (int position : new int[] {1, 2, 3, 4, 5, 7}) {
      Expect.applied(window.update(dense(position), scene.key, Scene.counted()));
    }
    Expect.duplicate(store.update(dense(7), scene.key, Scene.counted()));
    Expect.applied(store.update(dense(6), scene.key, Scene.counted()));
    Expect.applied(store.update(dense(8), scene.key, Scene.counted()));
    assertEquals(8, scene.count());
  }

  @Test
  @DisplayName("a process with another policy and a cache of its own loses nothing, and goes on")
  void rollingDeployment() {
    EntityStore<View> old = scene.store(Tracking.defaults().events(EventPolicy.denseWindow(6)));
    Expect.applied(old.update(dense(2), scene.key, Scene.counted()));
    Expect.duplicate(store.update(dense(2), scene.key, Scene.counted()));
    Expect.applied(store.update(dense(1), scene.key, Scene.counted()));
    Expect.applied(store.update(dense(3), scene.key, Scene.counted()));
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("a hole that a window has given up is beyond the horizon for the next policy too")
  void givenUp() {
    Tracking giving = Tracking.defaults().events(EventPolicy.denseWindow(3).givingUpHoles());
    EntityStore<View> window = scene.store(giving);
    for (int position : new int[] {1, 30, 31}) {
      Expect.applied(window.update(dense(position), scene.key, Scene.counted()));
    }
    Expect.duplicate(store.update(dense(30), scene.key, Scene.counted()));
    Expect.beyondHorizon(store.update(dense(2), scene.key, Scene.counted()));
    EntityStore<View> late = cached(Tracking.defaults());
    Expect.applied(late.update(dense(40), scene.key, Scene.counted()));
    Expect.stale(late.update(dense(35), scene.key, Scene.counted()));
    EntityStore<View> sparse =
        cached(Tracking.defaults().events("Dense", EventPolicy.sparseWindow(3)));
    Expect.beyondHorizon(sparse.update(dense(35), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("stores of two subscribers may share one: each applies an event once")
  void subscribers() {
    List<Message> messages = List.of(Some.id(), Some.event(5), dense(1));
    EntityStore<View> search = cached(TRACKING.as("search"));
    for (Message message : messages) {
      Expect.applied(store.update(message, scene.key, Scene.counted()));
      Expect.applied(search.update(message, scene.key, Scene.counted()));
      Expect.duplicate(store.update(message, scene.key, Scene.counted()));
      Expect.duplicate(search.update(message, scene.key, Scene.counted()));
    }
    assertEquals(6, scene.count());
    Expect.applied(search.forget(Some.id(), scene.key));
    messages.forEach(m -> Expect.applied(store.update(m, scene.key, Scene.counted())));
    assertEquals(3, scene.count());
  }

  @Test
  @DisplayName("says Stale where the store would, of a lower generation or position")
  void stale() {
    Source second = Source.of("Order", "4711").generation(2);
    for (Message message : List.of(Some.event(5), Some.event(7))) {
      Expect.applied(store.update(message, scene.key, Scene.counted()));
    }
    assertEquals(
        Some.event(7).position(),
        Expect.stale(store.update(Some.event(5), scene.key, Scene.counted())).mark().highest());
    SourceEvent anew = SourceEvent.of(second, Some.event(1).position());
    Expect.applied(store.update(anew, scene.key, Scene.counted()));
    Expect.stale(store.update(Some.event(7), scene.key, Scene.counted()));
    for (String type : List.of("Dense", "Window", "Sparse")) {
      Expect.applied(store.update(Some.event(type, "1", 1), scene.key, Scene.counted()));
      SourceEvent next = SourceEvent.of(Source.of(type, "1").generation(2), anew.position());
      Expect.applied(store.update(next, scene.key, Scene.counted()));
      Expect.stale(store.update(Some.event(type, "1", 1), scene.key, Scene.counted()));
    }
    Expect.applied(store.update(Some.event("Late", "1", 5), scene.key, Scene.counted()));
    List<Write<View>> lanes =
        List.of(
            scene.counts(Some.event("Late", "1", 7)).inLane("a"),
            scene.counts(Some.event("Late", "1", 5)).inLane("b"));
    assertEquals(List.of("Applied", "Stale"), Words.of(store.writeAll(lanes)));
  }
}
