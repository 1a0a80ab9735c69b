package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BATCHES)
@DisplayName("Random batches do what their messages do one by one")
final class BatchPropertyContract {
  private static final int THREADS = 4;

  private final Scene scene;
  private final EntityStore<View> store;

  BatchPropertyContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store =
        scene.store(
            Tracking.defaults()
                .messageIds(IdPolicy.last(12))
                .events("Dense", EventPolicy.contiguous())
                .events("Window", EventPolicy.denseWindow(3))
                .events("Sparse", EventPolicy.sparseWindow(3)));
  }

  @AfterEach
  void heal() {
    scene.backend.faults().heal();
  }

  private static List<EntityKey> keys() {
    return List.of(Some.key(), Some.key(), Some.key());
  }

  @Test
  @DisplayName("the same outcomes, faults and entities, with poison, gaps, refusals and deletes")
  void sameAsOneByOne() {
    long seed = Sizes.seed();
    System.out.println("random batches: -Dtidemark.seed=" + seed);
    qt().withFixedSeed(seed)
        .withExamples(Sizes.examples(scene.backend) / 5)
        .withShrinkCycles(0)
        .forAll(longs().all())
        .checkAssert(this::compare);
  }

  private void compare(long example) {
    List<EntityKey> keys = keys();
    Map<EntityKey, EntityKey> twins = new HashMap<>();
    keys.forEach(key -> twins.put(key, Some.key()));
    RandomBatch random = new RandomBatch(example, keys, false);
    for (int batch = 0; batch < 3; batch++) {
      List<Write<View>> writes = random.writes();
      List<Write<View>> alone = RandomBatch.elsewhere(writes, twins);
      String what = "example " + example + ", batch " + batch + " of " + writes;
      List<Result<View>> expected = Batch.oneByOne(store, alone);
      assertEquals(words(expected), words(store.writeAll(writes)), what);
      keys.forEach(key -> assertEquals(view(twins.get(key)), view(key), what));
    }
  }

  /** Arms with what tells two of one arm apart. */
  private static List<String> words(List<Result<View>> results) {
    List<String> words = new ArrayList<>();
    for (Result<View> result : results) {
      String word = Words.of(result);
      if (result instanceof Result.Judged<View> judged) {
        Outcome<View> outcome = judged.outcome();
        word += outcome instanceof Outcome.Applied<View> a ? a.created() : "";
        word += outcome instanceof Outcome.Gap<View> gap ? gap.expected() + "" + gap.holes() : "";
      }
      words.add(word);
    }
    return words;
  }

  private String view(@Nullable EntityKey key) {
    return store
        .find(Objects.requireNonNull(key))
        .map(
            view -> {
              view.setId("");
              return view.toString();
            })
        .orElse("none");
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("with lost replies and redelivery until all are done: every message once")
  void lostReplies() {
    EntityStore<View> exact = scene.store();
    Random random = new Random(Sizes.seed());
    for (int example = 0; example < Sizes.examples(scene.backend) / 4; example++) {
      List<EntityKey> keys = keys();
      List<Write<View>> left = new RandomBatch(random.nextLong(), keys, true).writes();
      Map<EntityKey, Set<Message>> expected = distinct(left);
      scene.backend.faults().loseReplies(random.nextInt(3), 1 + random.nextInt(3), () -> {});
      left = undone(left, exact.writeAll(left));
      scene.backend.faults().heal();
      left = undone(left, exact.writeAll(left));
      assertEquals(List.of(), left, "example " + example);
      expected.forEach((key, ids) -> assertEquals(ids.size(), scene.count(key)));
    }
  }

  @Test
  @Needs(Capability.LOST_REPLIES)
  @DisplayName("a lost reply with another writer in between: unknown or exact, never wrong")
  void writerBetween() {
    EntityStore<View> exact = scene.store();
    EntityStore<View> other = scene.store();
    for (int example = 0; example < 20; example++) {
      EntityKey key = Some.key();
      List<Write<View>> writes = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        writes.add(Write.update(Some.id(), key, Scene.counted()));
      }
      Message known = writes.get(example % 6).message();
      boolean same = example % 2 == 0;
      scene
          .backend
          .faults()
          .loseReplies(1, () -> other.update(same ? known : Some.id(), key, Scene.counted()));
      List<Result<View>> results = exact.writeAll(writes);
      scene.backend.faults().heal();
      List<Write<View>> left = undone(writes, results);
      results.stream()
          .filter(Result.Failed.class::isInstance)
          .forEach(r -> assertEquals("OutcomeUnknownException", Words.of(r)));
      exact.writeAll(left).forEach(r -> assertEquals("Duplicate", Words.of(r)));
      assertEquals(same ? 6 : 7, scene.count(key), "example " + example + ": " + results);
    }
  }

  private static Map<EntityKey, Set<Message>> distinct(List<Write<View>> writes) {
    Map<EntityKey, Set<Message>> distinct = new HashMap<>();
    writes.forEach(w -> distinct.computeIfAbsent(w.key(), k -> new HashSet<>()).add(w.message()));
    return distinct;
  }

  private static List<Write<View>> undone(List<Write<View>> writes, List<Result<View>> results) {
    List<Write<View>> undone = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      if (!results.get(i).isDone()) {
        undone.add(writes.get(i));
      }
    }
    return undone;
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("concurrent consumers of one batch: every message once, at most one Applied each")
  void concurrentConsumers() throws Exception {
    EntityStore<View> exact = scene.store();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int example = 0; example < 10; example++) {
        List<EntityKey> keys = keys();
        List<Write<View>> all = new RandomBatch(Sizes.seed() + example, keys, true).writes();
        List<Future<List<Result<View>>>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          running.add(threads.submit(() -> exact.writeAll(all)));
        }
        List<Result<View>> results = new ArrayList<>();
        for (Future<List<Result<View>>> one : running) {
          results.addAll(one.get());
        }
        Map<EntityKey, Set<Message>> expected = distinct(all);
        assertExact(results, expected.values().stream().mapToInt(Set::size).sum());
        expected.forEach((key, ids) -> assertEquals(ids.size(), scene.count(key)));
        exact.writeAll(all).forEach(r -> assertEquals("Duplicate", Words.of(r)));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Totals may leave open which of two consumers it was; then nobody says that it was itself. */
  private static void assertExact(List<Result<View>> results, int messages) {
    long applied = count(results, "Applied");
    long unknown = count(results, "OutcomeUnknownException");
    long others = results.size() - applied - unknown - count(results, "Duplicate");
    assertEquals(0, others, () -> "" + results);
    assertTrue(
        applied <= messages && applied + unknown >= messages,
        () -> applied + " applied, " + unknown + " unknown of " + messages);
  }

  private static long count(List<Result<View>> results, String word) {
    return results.stream().filter(r -> Words.of(r).equals(word)).count();
  }

  @Test
  @Needs(Capability.INJECTED_CONTENTION)
  @DisplayName("throttling that passes is retried; one that lasts fails the messages it met")
  void throttling() {
    List<EntityKey> keys = keys();
    List<Write<View>> writes = new RandomBatch(Sizes.seed(), keys, true).writes();
    scene.backend.faults().throttle(2);
    store.writeAll(writes).forEach(result -> assertTrue(result.isDone()));
    List<Write<View>> later = List.of(Write.update(Some.id(), Some.key(), Scene.counted()));
    scene.backend.faults().throttle(10_000);
    List<Result<View>> failed = store.writeAll(later);
    scene.backend.faults().heal();
    assertEquals(List.of("ContentionException"), Words.of(failed));
    assertEquals(List.of("Applied"), Words.of(store.writeAll(later)));
  }
}
