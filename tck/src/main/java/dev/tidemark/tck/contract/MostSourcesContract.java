package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BOUNDED)
@DisplayName("Law 8: by whatever way a source comes, the one after maxSources is refused")
final class MostSourcesContract {
  private static final int FEW = 3;
  private static final int SOME = 40;
  private static final Change REFUSED =
      Scene.counted().onlyIf(attribute("status").is("NEVER")).otherwiseSkip();

  private final Scene scene;
  private final EntityStore<View> store;

  MostSourcesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store(Tracking.defaults().maxSources(FEW));
  }

  private static SourceEvent first(int source) {
    return Some.event("S", "" + source, 1);
  }

  private static SourceEvent second(int source) {
    return Some.event("S", "" + source, 2);
  }

  private void fill(int sources) {
    for (int source = 1; source <= sources; source++) {
      Expect.applied(store.update(first(source), scene.key, Scene.counted()));
    }
  }

  private long sources() {
    return scene.raw().orElseThrow().keySet().stream()
        .filter(name -> name.startsWith("events.S."))
        .count();
  }

  /** No call brings a further source, and none takes away what refuses it. */
  private void assertFull() {
    for (int further = 11; further <= 13; further++) {
      SourceEvent event = first(further);
      List<Runnable> calls =
          List.of(
              () -> store.update(event, scene.key, Scene.counted()),
              () -> store.update(event, scene.key, REFUSED),
              () -> store.update(event, scene.key, Scene.counted().retire(Source.of("S", "99"))),
              () -> store.apply(event, scene.key, Views::counted),
              () -> store.skip(event, scene.key),
              () -> store.delete(event, scene.key));
      calls.forEach(call -> assertThrows(TooLargeException.class, call::run));
      assertEquals(FEW, sources());
    }
  }

  @Test
  @DisplayName("after updates, functions, records alone")
  void plain() {
    fill(1);
    Expect.applied(store.apply(first(2), scene.key, Views::counted));
    Expect.recorded(store.skip(first(3), scene.key));
    assertFull();
  }

  @Test
  @DisplayName("after refused events that were recorded, which may bring the last source")
  void recordedRefusals() {
    fill(FEW - 1);
    assertTrue(Expect.refused(store.update(first(3), scene.key, REFUSED)).recorded());
    assertFull();
    for (int source = 1; source <= FEW; source++) {
      assertTrue(Expect.refused(store.update(second(source), scene.key, REFUSED)).recorded());
      assertFull();
    }
  }

  @Test
  @DisplayName("after a delete that brings the last source, for a change that revives")
  void deletes() {
    fill(FEW - 1);
    Expect.applied(store.delete(first(3), scene.key));
    Change reviving = Scene.counted().recreate();
    assertThrows(TooLargeException.class, () -> store.update(first(4), scene.key, reviving));
    Expect.applied(store.update(second(1), scene.key, reviving));
    assertFull();
  }

  @Test
  @DisplayName("after sources were retired of which there were no marks")
  void retiringNothing() {
    fill(FEW);
    Change retiring = Scene.counted().retire(Source.of("S", "99"));
    Expect.applied(store.update(second(1), scene.key, retiring));
    assertFull();
    Expect.applied(store.update(second(2), scene.key, Scene.counted().retire(Source.of("S", "1"))));
    Expect.applied(store.update(first(4), scene.key, retiring));
    assertFull();
  }

  @Test
  @DisplayName("in batches of updates and of functions")
  void folds() {
    folded(source -> Write.update(first(source), scene.key, Scene.counted()), 0);
    folded(source -> Write.apply(second(source), scene.key, Views::counted), 1);
  }

  private void folded(Function<Integer, Write<View>> write, int round) {
    EntityStore<View> some = scene.store(Tracking.defaults().maxSources(SOME));
    List<Write<View>> writes = IntStream.rangeClosed(1, SOME + 20).mapToObj(write::apply).toList();
    List<Result<View>> results = some.writeAll(writes);
    long applied = results.stream().filter(Result::isDone).count();
    assertEquals(SOME, applied, "TooLargeException for all but " + SOME);
    results.stream()
        .filter(result -> !result.isDone())
        .forEach(
            result ->
                assertInstanceOf(
                    TooLargeException.class,
                    assertInstanceOf(Result.Failed.class, result).fault()));
    assertEquals(SOME, sources());
    assertEquals((round + 1L) * SOME, scene.count());
  }

  @Test
  @DisplayName("and by single calls that come close to it, for every policy")
  void close() {
    for (EventPolicy policy :
        List.of(EventPolicy.dropLate(), EventPolicy.contiguous(), EventPolicy.denseWindow(5))) {
      Scene own = new Scene(scene.backend);
      EntityStore<View> some = own.store(Tracking.defaults().maxSources(SOME).events(policy));
      for (int source = 1; source <= SOME; source++) {
        Expect.applied(some.update(first(source), own.key, Scene.counted()));
      }
      assertThrows(
          TooLargeException.class, () -> some.update(first(SOME + 1), own.key, Scene.counted()));
      Expect.applied(some.update(second(1), own.key, Scene.counted()));
      assertEquals(SOME + 1, own.count());
    }
  }

  @Test
  @DisplayName("a bound of one source holds from the write that creates on")
  void one() {
    EntityStore<View> single = scene.store(Tracking.defaults().maxSources(1));
    Expect.applied(single.update(first(1), scene.key, Scene.counted()));
    assertThrows(
        TooLargeException.class, () -> single.update(first(2), scene.key, Scene.counted()));
    Expect.applied(single.update(second(1), scene.key, Scene.counted()));
  }

  @Test
  @DisplayName("the bound of one subscriber holds while another writes, who has room")
  void subscribers() {
    EntityStore<View> other = scene.store(Tracking.defaults().maxSources(SOME).as("other"));
    fill(FEW);
    for (int source = 1; source < SOME; source++) {
      Expect.applied(other.update(first(source), scene.key, Scene.counted()));
      assertThrows(
          TooLargeException.class, () -> store.update(first(99), scene.key, Scene.counted()));
    }
    Expect.applied(other.delete(second(1), scene.key));
    Change reviving = Scene.counted().recreate();
    Expect.applied(other.update(second(2), scene.key, reviving));
    assertFull();
  }

  @Test
  @DisplayName("where there is room again, the next writes need not be read for")
  void roomAgain() {
    fill(FEW);
    Expect.applied(store.update(second(1), scene.key, Scene.counted().retire(Source.of("S", "2"))));
    EntityStore<View> roomy = scene.store(Tracking.defaults().maxSources(SOME));
    Expect.applied(roomy.update(Some.event("S", "1", 3), scene.key, Scene.counted()));
    Backend.Cost cost =
        scene.backend.measure(
            () -> roomy.update(Some.event("S", "1", 4), scene.key, Scene.counted()));
    int usual = Sizes.requestsOfOne(scene.backend);
    assertTrue(cost.reads() + cost.writes() <= usual, cost::toString);
  }
}
