package dev.tidemark.kernel;

import java.time.Duration;

/** How long a time that somebody sets may be: the nanoseconds of some centuries overflow a long. */
public final class Times {
  private static final Duration MOST = Duration.ofDays(36_500);

  /** What a record can store: a hundred years. */
  private static final Duration STORED = Duration.ofDays(36_525);

  private Times() {}

  /**
   * Requires a time that can be counted with.
   *
   * @param name of the setting
   * @param least the shortest
   * @param time at most 36,500 days
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
   * Requires a time that is more than 0, and not longer than a record can store.
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
   * Requires a time that is not longer than a record can store.
   *
   * @param name of the setting
   * @param time at most 36,525 days
   * @return the same
   * @throws IllegalArgumentException if it is longer
   */
  public static Duration bounded(String name, Duration time) {
    if (time.compareTo(STORED) > 0) {
      throw new IllegalArgumentException(
          "%s must be at most %d days, was %s".formatted(name, STORED.toDays(), time));
    }
    return time;
  }
}
