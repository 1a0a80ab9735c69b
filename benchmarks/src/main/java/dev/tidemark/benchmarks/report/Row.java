package dev.tidemark.benchmarks.report;

import dev.tidemark.benchmarks.measure.Probe;
import dev.tidemark.benchmarks.measure.Round;
import dev.tidemark.benchmarks.stats.Sample;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the rounds of one technique came to.
 *
 * @param store the store's name
 * @param technique the technique's name
 * @param threads how many hand-overs were under way at any time
 * @param rounds what was timed
 * @param probe what was counted beside
 */
public record Row(String store, String technique, int threads, List<Round> rounds, Probe probe) {
  /** Copies the rounds. */
  public Row {
    rounds = List.copyOf(rounds);
  }

  /**
   * The rounds' numbers of one kind.
   *
   * @param number takes it from a round
   * @return one number per round, in the order of the rounds
   */
  public List<Double> numbers(ToDoubleFunction<Round> number) {
    return rounds.stream().mapToDouble(number).boxed().toList();
  }

  /**
   * The same as a sample.
   *
   * @param number takes it from a round
   * @return one number per round
   */
  public Sample sample(ToDoubleFunction<Round> number) {
    return Sample.of(numbers(number));
  }

  /**
   * Requests that left, repeated ones too.
   *
   * @return their number per message, over all rounds
   */
  public double requestsPerMessage() {
    double requests = rounds.stream().mapToLong(Round::requests).sum();
    return requests / rounds.stream().mapToLong(Round::messages).sum();
  }
}
