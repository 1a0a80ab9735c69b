package dev.tidemark.benchmarks.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * Runs all techniques side by side: every round runs each of them once, in an order that moves on
 * by one from round to round, over fresh entities. The first rounds warm up and are thrown away.
 */
public final class Series {
  private static final int FEWEST_WARM_UPS = 3;

  /** So that a run ends on a slow machine too. */
  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(4);

  private final Store store;
  private final Driver driver;
  private final int warmUps;

  /**
   * A series.
   *
   * @param store where
   * @param driver runs a round
   * @param warmUps how many rounds do not count, fewer where they take long: what is compiled late
   *     is compared too early
   */
  public Series(Store store, Driver driver, int warmUps) {
    this.store = store;
    this.driver = driver;
    this.warmUps = warmUps;
  }

  /**
   * Runs all rounds.
   *
   * @param techniques what to compare
   * @param rounds how many count
   * @param progress told of each round, warm-ups included, from 0
   * @return the rounds of each technique, in the order of the techniques
   */
  public Map<Technique, List<Round>> run(
      List<Technique> techniques, int rounds, IntConsumer progress) {
    Map<Technique, List<Round>> all = new LinkedHashMap<>();
    techniques.forEach(technique -> all.put(technique, new ArrayList<>()));
    long start = System.nanoTime();
    int counted = 0;
    for (int round = 0; counted < rounds; round++) {
      boolean counts = isWarm(round, System.nanoTime() - start);
      counted += counts ? 1 : 0;
      progress.accept(round);
      store.reset();
      for (int i = 0; i < techniques.size(); i++) {
        int index = (i + round) % techniques.size();
        Technique technique = techniques.get(index);
        Round result = driver.run(technique, "r" + round + "t" + index);
        if (counts) {
          Objects.requireNonNull(all.get(technique)).add(result);
        }
      }
    }
    return all;
  }

  private boolean isWarm(int rounds, long nanos) {
    boolean late = nanos > LONGEST_WARM_UP.toNanos() && rounds >= FEWEST_WARM_UPS;
    return rounds >= warmUps || late;
  }
}
