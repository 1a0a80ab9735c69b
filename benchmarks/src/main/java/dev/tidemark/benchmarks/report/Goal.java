package dev.tidemark.benchmarks.report;

import dev.tidemark.benchmarks.stats.Estimate;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * A number that is promised, and the bound that it has to reach.
 *
 * @param row what is measured
 * @param bound what is wanted
 * @param measured finds it in the results
 */
public record Goal(String row, Bound bound, Function<Results, Optional<Estimate>> measured) {
  /** How a goal fared. */
  public enum Verdict {
    /** The median reaches the bound. */
    HOLDS,
    /** The median does not, but its interval does: the noise is larger than what is missing. */
    UNSURE,
    /** Not even the interval does. */
    MISSED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** On which side of a number the measured one has to be. */
  public enum Side {
    /** As much, or more. */
    AT_LEAST(">="),
    /** As much, or less. */
    AT_MOST("<="),
    /** Only told. */
    TOLD("told");

    private final String sign;

    Side(String sign) {
      this.sign = sign;
    }
  }

  /**
   * What is wanted.
   *
   * @param side more or less
   * @param number than this
   */
  public record Bound(Side side, double number) {
    @Override
    public String toString() {
      return side == Side.TOLD ? side.sign : side.sign + shown(number);
    }
  }

  /**
   * A goal for a number that should be large.
   *
   * @param row what is measured
   * @param number the least that is wanted
   * @param measured finds it
   * @return the goal
   */
  public static Goal atLeast(
      String row, double number, Function<Results, Optional<Estimate>> measured) {
    return new Goal(row, new Bound(Side.AT_LEAST, number), measured);
  }

  /**
   * A goal for a number that should be small.
   *
   * @param row what is measured
   * @param number the most that is wanted
   * @param measured finds it
   * @return the goal
   */
  public static Goal atMost(
      String row, double number, Function<Results, Optional<Estimate>> measured) {
    return new Goal(row, new Bound(Side.AT_MOST, number), measured);
  }

  /**
   * A number without a bound.
   *
   * @param row what is measured
   * @param measured finds it
   * @return the goal
   */
  public static Goal told(String row, Function<Results, Optional<Estimate>> measured) {
    return new Goal(row, new Bound(Side.TOLD, 0), measured);
  }

  /**
   * Whether a measured number is what is wanted.
   *
   * @param estimate the number
   * @return whether its median reaches the bound, or only its interval, or neither; what is only
   *     told holds
   */
  public Verdict of(Estimate estimate) {
    if (reaches(estimate.median())) {
      return Verdict.HOLDS;
    }
    return reaches(estimate.low()) || reaches(estimate.high()) ? Verdict.UNSURE : Verdict.MISSED;
  }

  private boolean reaches(double number) {
    return switch (bound.side()) {
      case AT_LEAST -> number >= bound.number();
      case AT_MOST -> number <= bound.number();
      case TOLD -> true;
    };
  }

  /**
   * The line that tells how the goal fared.
   *
   * @param results what was measured
   * @return empty if this run did not measure it
   */
  public Optional<String> verdict(Results results) {
    return measured
        .apply(results)
        .map(
            estimate ->
                "goal: %s measured=%s [%s, %s] wanted=%s %s"
                    .formatted(
                        row,
                        shown(estimate.median()),
                        shown(estimate.low()),
                        shown(estimate.high()),
                        bound,
                        of(estimate)));
  }

  private static String shown(double number) {
    return Math.abs(number) >= 100
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.format(Locale.ROOT, "%.3f", number).replaceAll("\\.?0+$", "");
  }
}
