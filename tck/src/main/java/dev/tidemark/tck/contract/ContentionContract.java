package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.ContentionException;
import dev.tidemark.EntityStore;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.CONTENTION)
@DisplayName("Law 5: contention is never Duplicate")
final class ContentionContract {
  private static final int THREADS = 16;
  private static final int ROUNDS = 8;

  private final Scene scene;
  private final EntityStore<View> store;

  ContentionContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  /** Runs one call per thread and round, all threads at the same time; gives all outcomes. */
  private static List<Outcome<View>> race(IntFunction<Callable<Outcome<View>>> calls)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Phaser start = new Phaser(THREADS);
      List<Future<List<Outcome<View>>>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread * ROUNDS;
        running.add(threads.submit(() -> rounds(start, calls, first)));
      }
      List<Outcome<View>> outcomes = new ArrayList<>();
      for (Future<List<Outcome<View>>> one : running) {
        outcomes.addAll(one.get());
      }
      return outcomes;
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Outcome<View>> rounds(
      Phaser start, IntFunction<Callable<Outcome<View>>> calls, int first) throws Exception {
    List<Outcome<View>> outcomes = new ArrayList<>();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        start.arriveAndAwaitAdvance();
        outcomes.add(calls.apply(first + round).call());
      }
    } finally {
      start.arriveAndDeregister(); // a thread that fails does not keep the others waiting
    }
    return outcomes;
  }

  private static long created(List<Outcome<View>> outcomes) {
    return outcomes.stream().filter(o -> Expect.applied(o).created()).count();
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("16 threads with distinct message IDs, creating one entity: all applied once")
  void distinctIds() throws Exception {
    List<Outcome<View>> outcomes =
        race(i -> () -> store.update(Some.id(), scene.key, Scene.counted()));
    assertEquals(1, created(outcomes));
    assertEquals(THREADS * ROUNDS, scene.count());
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("16 threads with message IDs of which few are kept: all applied once, no fault")
  void fewIds() throws Exception {
    EntityStore<View> few = scene.store(Tracking.defaults().messageIds(IdPolicy.last(10)));
    List<Outcome<View>> outcomes =
        race(i -> () -> few.update(Some.id(), scene.key, Scene.counted()));
    assertEquals(1, created(outcomes));
    assertEquals(THREADS * ROUNDS, scene.count());
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("16 threads with events of their own sources, creating one entity: all applied once")
  void distinctSources() throws Exception {
    List<Outcome<View>> outcomes =
        race(
            i -> {
              Message event = Some.event("Thread", "" + i / ROUNDS, i % ROUNDS);
              return () -> store.update(event, scene.key, Scene.counted());
            });
    assertEquals(1, created(outcomes));
    assertEquals(THREADS * ROUNDS, scene.count());
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName(
      "16 threads with functions and changes in turn, creating one entity: all applied once")
  void functions() throws Exception {
    List<Outcome<View>> outcomes =
        race(
            i ->
                () ->
                    i / ROUNDS % 4 == 0
                        ? store.apply(Some.id(), scene.key, View::new, Views::counted)
                        : store.update(Some.id(), scene.key, Scene.counted()));
    assertEquals(1, created(outcomes));
    assertEquals(THREADS * ROUNDS, scene.count());
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("16 threads with one message: one is Applied, the others are Duplicate")
  void oneMessage() throws Exception {
    List<Message> ids = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      ids.add(Some.id());
    }
    List<Outcome<View>> outcomes =
        race(i -> () -> store.update(ids.get(i % ROUNDS), scene.key, Scene.counted()));
    assertEquals(ROUNDS, outcomes.stream().filter(Outcome::isApplied).count());
    outcomes.stream().filter(o -> !o.isApplied()).forEach(Expect::duplicate);
    assertEquals(ROUNDS, scene.count());
  }

  @Test
  @Needs(Capability.INJECTED_CONTENTION)
  @DisplayName("throttling and conflicts that pass are retried")
  void passing() {
    scene.backend.faults().throttle(2);
    Expect.applied(store.update(Some.id(), scene.key, Scene.counted()));
    scene.backend.faults().conflict(2);
    Expect.applied(store.update(Some.event(1), scene.key, Scene.counted()));
    scene.backend.faults().conflict(2);
    Expect.applied(store.apply(Some.event(2), scene.key, Views::counted));
    assertEquals(3, scene.count());
    scene.backend.faults().throttle(2);
    Expect.applied(store.delete(Some.event(3), scene.key));
  }

  @Test
  @Needs(Capability.INJECTED_CONTENTION)
  @DisplayName("throttling and conflicts that last are ContentionException, with nothing written")
  void lasting() {
    scene.backend.faults().throttle(10_000);
    raised(Some.id());
    scene.backend.faults().conflict(10_000);
    raised(Some.event(1));
    scene.assertNothingStored("contention");
  }

  private void raised(Message message) {
    try {
      assertThrows(
          ContentionException.class, () -> store.update(message, scene.key, Scene.counted()));
    } finally {
      scene.backend.faults().heal();
    }
  }
}
