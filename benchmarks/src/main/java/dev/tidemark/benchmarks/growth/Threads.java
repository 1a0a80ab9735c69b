package dev.tidemark.benchmarks.growth;

import dev.tidemark.benchmarks.measure.Driver;
import dev.tidemark.benchmarks.measure.Round;
import dev.tidemark.benchmarks.measure.Series;
import dev.tidemark.benchmarks.measure.Store;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.benchmarks.stats.Sample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Throughput by the number of threads, each with entities of its own. */
final class Threads {
  private static final Set<String> TECHNIQUES = Set.of("hand-written", "Tidemark native");
  private static final int[] COUNTS = {1, 2, 4, 8, 16, 32, 64};
  private static final int ROUNDS = 3;

  /** Entities have grown before, so that little is left to compile. */
  private static final int WARM_UPS = 2;

  private final Store store;

  Threads(Store store) {
    this.store = store;
  }

  /** The median of messages per second, by technique and threads. */
  Map<String, Map<Integer, Double>> run() {
    List<Technique> chosen =
        store.techniques().stream().filter(t -> TECHNIQUES.contains(t.name())).toList();
    Map<String, Map<Integer, Double>> rates = new LinkedHashMap<>();
    for (int threads : COUNTS) {
      new Series(store, new Driver(store, threads), WARM_UPS)
          .run(chosen, ROUNDS, round -> {})
          .forEach(
              (technique, rounds) ->
                  rates
                      .computeIfAbsent(
                          "threads, " + technique.name(), name -> new LinkedHashMap<>())
                      .put(threads, median(rounds)));
    }
    return rates;
  }

  private static double median(List<Round> rounds) {
    return Sample.of(rounds.stream().map(Round::messagesPerSecond).toList()).median();
  }
}
