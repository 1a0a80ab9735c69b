package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.CONTENTION)
@DisplayName("Law 5: batches and single writers on the same entities do not fault each other")
final class ConcurrentBatchesContract {
  private static final int ENTITIES = 6;
  private static final int ROUNDS = 15;

  /** Two readers of one queue that gives them the same messages, and a writer of single ones. */
  private static final int WRITERS = 3;

  private final Scene scene;
  private final EntityStore<View> store;
  private final List<EntityKey> keys = Stream.generate(Some::key).limit(ENTITIES).toList();

  ConcurrentBatchesContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  /** A new message for each entity. */
  private List<Write<View>> news() {
    return keys.stream().map(key -> Write.<View>update(Some.id(), key, Scene.counted())).toList();
  }

  private Callable<List<Result<View>>> writer(
      int writer, List<List<Write<View>>> rounds, Phaser start) {
    return () -> {
      List<Result<View>> results = new ArrayList<>();
      try {
        for (List<Write<View>> round : rounds) {
          start.arriveAndAwaitAdvance();
          results.addAll(writer == WRITERS - 1 ? singly() : store.writeAll(round));
        }
      } finally {
        start.arriveAndDeregister(); // a writer that fails does not keep the others waiting
      }
      return results;
    };
  }

  /** A message of its own for each entity. */
  private List<Result<View>> singly() {
    return keys.stream()
        .<Result<View>>map(
            key -> new Result.Judged<>(store.update(Some.id(), key, Scene.counted())))
        .toList();
  }

  private Map<String, Integer> race(List<List<Write<View>>> rounds)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      Phaser start = new Phaser(WRITERS);
      List<Future<List<Result<View>>>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        running.add(threads.submit(writer(writer, rounds, start)));
      }
      Map<String, Integer> words = new TreeMap<>();
      for (Future<List<Result<View>>> one : running) {
        Words.of(one.get()).forEach(word -> words.merge(word, 1, Integer::sum));
      }
      return words;
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("two batches of the same messages beside single calls: each applied once, no fault")
  void sameMessages() throws Exception {
    List<List<Write<View>>> rounds = new ArrayList<>();
    List<Write<View>> before = List.of();
    for (int i = 0; i < ROUNDS; i++) { // each message comes in two rounds
      List<Write<View>> news = news();
      rounds.add(Stream.of(before, news).flatMap(List::stream).toList());
      before = news;
    }
    Map<String, Integer> words = race(rounds);
    int messages = ENTITIES * ROUNDS;
    int deliveries = 2 * rounds.stream().mapToInt(List::size).sum();
    assertEquals(Map.of("Applied", 2 * messages, "Duplicate", deliveries - messages), words);
    keys.forEach(key -> assertEquals(2L * ROUNDS, scene.count(key)));
  }
}
