package dev.tidemark.kernel;

import java.time.Duration;

/**
 * How long a time that somebody sets may be: a hundred years, since the nanoseconds of some more
 * centuries overflow a long, and what is longer has no time that a record could store.
 */
public final class Times {
  private static final Duration MOST = Duration.ofDays(36_525);

  private Times() {}

  /**
   * Requires a time that has a shortest one.
   *
   * @param name of the setting
   * @param least the shortest
   * @param time at most 36,525 days
   * @return the same
   * @throws IllegalArgumentException if it is shorter or longer
   */
  public static Duration within(String name, Duration least, Duration time) {
    if (time.compareTo(least) < 0 || time.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, was %s".formatted(name, least, MOST, time));
    }
    return time;
  }

  /**
   * Requires a time that is more than 0.
   *
   * @param name of the setting
   * @param time at most 36,525 days
   * @return the same
   * @throws IllegalArgumentException if it is shorter or longer
   */
  public static Duration positive(String name, Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException(name + " must be more than 0, was " + time);
    }
    return bounded(name, time);
  }

  /**
   * Requires a time that is not too long.
   *
   * @param name of the setting
   * @param time at most 36,525 days
   * @return the same
   * @throws IllegalArgumentException if it is longer
   */
  public static Duration bounded(String name, Duration time) {
    if (time.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "%s must be at most %d days, was %s".formatted(name, MOST.toDays(), time));
    }
    return time;
  }
}
