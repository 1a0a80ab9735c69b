package dev.tidemark.tck.contract;

import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Position;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@Contract(Law.LATE)
@DisplayName("Law 9: a position below the first of a dense source is bad input, not a duplicate")
final class FirstPositionContract {
  private static final List<EventPolicy> DENSE =
      List.of(
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(5),
          EventPolicy.denseWindow(5).givingUpHoles());

  private final Scene scene;

  FirstPositionContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  private EntityStore<View> store(EventPolicy policy) {
    return scene.store(Tracking.defaults().events("Order", policy));
  }

  private void assertRefused(Executable call) {
    Throwable[] thrown = new Throwable[1];
    Backend.Cost cost =
        scene.backend.measure(() -> thrown[0] = assertThrows(IllegalArgumentException.class, call));
    assertEquals(0, cost.reads() + cost.writes(), "requests were sent");
    assertNamed(thrown[0]);
  }

  private static void assertNamed(Throwable fault) {
    String message = String.valueOf(fault.getMessage());
    assertTrue(message.contains("Order"), () -> "names no type: " + message);
    assertTrue(message.contains("event 0 "), () -> "names no position: " + message);
    assertTrue(message.contains("startingAt(0)"), () -> "says not what to do: " + message);
  }

  @Test
  @DisplayName("it is refused before anything is sent, by every call")
  void everyCall() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      SourceEvent zero = Some.event(0);
      EntityKey key = scene.key;
      assertRefused(() -> store.update(zero, key, Scene.counted()));
      assertRefused(() -> store.apply(zero, key, View::new, Views::counted));
      assertRefused(() -> store.apply(zero, key, Views::counted));
      assertRefused(() -> store.skip(zero, key));
      assertRefused(() -> store.delete(zero, key));
      assertRefused(() -> store.deleteExisting(zero, key));
      assertRefused(() -> store.forget(zero, key));
      assertRefused(() -> store.find(key, notBefore(zero)));
    }
    scene.assertNothingStored("refused positions");
  }

  @Test
  @DisplayName("it is refused also where there is a mark, or a tombstone, and in any generation")
  void overMarks() {
    for (EventPolicy policy : DENSE) {
      EntityStore<View> store = store(policy);
      EntityKey key = Some.key();
      Source later = Source.of("Order", "4711").generation(3);
      Expect.applied(store.update(Some.event(1), key, Scene.counted()));
      assertRefused(() -> store.update(Some.event(0), key, Scene.counted()));
      assertRefused(() -> store.apply(Some.event(0), key, Views::counted));
      assertRefused(
          () -> store.update(SourceEvent.of(later, Position.of(0)), key, Scene.counted()));
      Expect.applied(store.delete(Some.event(2), key));
      assertRefused(() -> store.update(Some.event(0), key, Scene.counted()));
    }
  }

  @Test
  @DisplayName("in a batch it alone fails; messages that are not behind it are applied")
  void batch() {
    for (EventPolicy policy : DENSE) {
      EntityKey key = Some.key();
      List<Result<View>> results =
          store(policy)
              .writeAll(
                  List.of(
                      Write.update(Some.id(), key, Scene.counted()),
                      Write.update(Some.event(0), key, Scene.counted()),
                      Write.apply(Some.event("Order", "1", 0), key, Views::counted),
                      Write.update(Some.event("Order", "2", 1), key, Scene.counted())));
      assertEquals(
          List.of("Applied", "IllegalArgumentException", "IllegalArgumentException", "Applied"),
          Words.of(results));
      for (Result<View> result : results) {
        if (result instanceof Result.Failed<View> failed) {
          assertNamed(failed.fault());
        }
      }
      assertEquals(2, scene.count(key));
    }
  }

  @Test
  @DisplayName("startingAt(0) takes it, and so do policies for sparse sources")
  void taken() {
    List<EventPolicy> policies =
        List.of(
            EventPolicy.contiguous().startingAt(0),
            EventPolicy.denseWindow(5).startingAt(0),
            EventPolicy.dropLate(),
            EventPolicy.sparseWindow(5));
    for (EventPolicy policy : policies) {
      EntityKey key = Some.key();
      Expect.applied(store(policy).update(Some.event(0), key, Scene.counted()));
      Expect.duplicate(store(policy).update(Some.event(0), key, Scene.counted()));
      Expect.applied(store(policy).update(Some.event(1), key, Scene.counted()));
    }
  }
}
