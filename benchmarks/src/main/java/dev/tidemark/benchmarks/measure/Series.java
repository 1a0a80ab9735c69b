package dev.tidemark.benchmarks.measure;

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
  /** What is compiled late is compared too early: each technique has 16,000 messages before. */
  private static final int WARM_UPS = 5;

  private final Store store;
  private final Driver driver;

  /**
   * A series.
   *
   * @param store where
   * @param driver runs a round
   */
  public Series(Store store, Driver driver) {
    this.store = store;
    this.driver = driver;
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
    for (int round = 0; round < WARM_UPS + rounds; round++) {
      progress.accept(round);
      store.reset();
      for (int i = 0; i < techniques.size(); i++) {
        int index = (i + round) % techniques.size();
        Technique technique = techniques.get(index);
        Round result = driver.run(technique, "r" + round + "t" + index);
        if (round >= WARM_UPS) {
          Objects.requireNonNull(all.get(technique)).add(result);
        }
      }
    }
    return all;
  }
}
