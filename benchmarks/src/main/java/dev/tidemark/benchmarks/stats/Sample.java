package dev.tidemark.benchmarks.stats;

import java.util.Arrays;
import java.util.Collection;

/** Numbers in ascending order. Immutable. */
public final class Sample {
  private final double[] sorted;

  private Sample(double[] sorted) {
    this.sorted = sorted;
  }

  /**
   * A sample of some numbers.
   *
   * @param numbers at least one
   * @return the sample
   * @throws IllegalArgumentException if there are none
   */
  public static Sample of(double... numbers) {
    if (numbers.length == 0) {
      throw new IllegalArgumentException("a sample needs a number");
    }
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    return new Sample(sorted);
  }

  /**
   * A sample of some numbers.
   *
   * @param numbers at least one
   * @return the sample
   */
  public static Sample of(Collection<? extends Number> numbers) {
    return of(numbers.stream().mapToDouble(Number::doubleValue).toArray());
  }

  /**
   * The middle one, or the mean of the two in the middle.
   *
   * @return the median
   */
  public double median() {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /**
   * The smallest number that at least this share of all do not exceed.
   *
   * @param share from 0 to 1
   * @return the quantile
   */
  public double quantile(double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(0, Math.min(sorted.length, rank) - 1)];
  }

  /**
   * The smallest.
   *
   * @return the minimum
   */
  public double min() {
    return sorted[0];
  }

  /**
   * The largest.
   *
   * @return the maximum
   */
  public double max() {
    return sorted[sorted.length - 1];
  }
}
