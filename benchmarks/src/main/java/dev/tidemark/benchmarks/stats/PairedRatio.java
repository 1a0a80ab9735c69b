package dev.tidemark.benchmarks.stats;

import java.util.Arrays;
import java.util.List;

/**
 * The ratio of two series whose numbers were measured in the same rounds. What disturbs a whole
 * round cancels out. The interval is that of Student's t over the logarithms of the rounds' ratios,
 * at 95 %.
 */
public final class PairedRatio {
  /** Quantiles of Student's t at 97.5 %, from one degree of freedom to 30. */
  private static final double[] T = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, //
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, //
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
  };

  private static final double NORMAL = 1.960;

  private PairedRatio() {}

  /**
   * The ratio of the numbers of one series to those of another.
   *
   * @param numerators positive numbers, one per round
   * @param denominators as many positive numbers, of the same rounds
   * @return the median of the rounds' ratios, with its interval
   * @throws IllegalArgumentException if the series differ in length or have less than two rounds
   */
  public static Estimate of(List<Double> numerators, List<Double> denominators) {
    int rounds = numerators.size();
    if (rounds != denominators.size() || rounds < 2) {
      throw new IllegalArgumentException(
          "a ratio needs two or more paired rounds, got " + rounds + " and " + denominators.size());
    }
    double[] logs = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      logs[i] = Math.log(numerators.get(i) / denominators.get(i));
    }
    double mean = Arrays.stream(logs).sum() / rounds;
    double squares = Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
    double error = Math.sqrt(squares / (rounds - 1) / rounds);
    double reach = quantile(rounds - 1) * error;
    double median = Math.exp(Sample.of(logs).median());
    return new Estimate(
        median, Math.min(median, Math.exp(mean - reach)), Math.max(median, Math.exp(mean + reach)));
  }

  private static double quantile(int degrees) {
    return degrees <= T.length ? T[degrees - 1] : NORMAL;
  }
}
