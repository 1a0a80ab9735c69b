package dev.tidemark.benchmarks.stats;

/**
 * A measured number and the interval in which the true one is with 95 %, if the rounds tell.
 *
 * @param median the median of the rounds
 * @param low the lower end
 * @param high the upper end
 */
public record Estimate(double median, double low, double high) {
  /**
   * A number that was counted, not sampled.
   *
   * @param number the number
   * @return an interval of one point
   */
  public static Estimate exactly(double number) {
    return new Estimate(number, number, number);
  }
}
