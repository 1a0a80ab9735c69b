package dev.tidemark.kernel;

import java.time.Duration;

/** How long a time that somebody sets may be: the nanoseconds of some centuries overflow a long. */
public final class Times {
  private static final Duration MOST = Duration.ofDays(36_500);

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
}
