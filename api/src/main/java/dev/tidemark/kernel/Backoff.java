package dev.tidemark.kernel;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before another attempt: longer each time, up to a limit.
 *
 * @param first the first pause
 * @param factor how many times as long as the one before each pause is
 * @param longest no pause is longer
 * @param spread which part of a pause is left to chance, so that those who wait for each other do
 *     not all come back at once; 0 to 1
 */
public record Backoff(Duration first, double factor, Duration longest, double spread) {
  private static final Duration LONGEST = Duration.ofDays(1);

  /**
   * The pauses of those who are in each other's way.
   *
   * @param first the first pause
   * @return half as long again each time, at most 500 ms, and between half and all of that
   */
  public static Backoff contending(Duration first) {
    return new Backoff(first, 1.5, Duration.ofMillis(500), 0.5);
  }

  /**
   * Pauses of which each is twice as long as the one before.
   *
   * @param first the first pause
   * @param longest no pause is longer
   * @return without chance
   */
  public static Backoff doubling(Duration first, Duration longest) {
    return new Backoff(first, 2, longest, 0);
  }

  /**
   * Doubling pauses that a user has set for an intake.
   *
   * @param first at least 1 ms
   * @param longest not shorter than that, and a day at most
   * @return the pauses
   * @throws IllegalArgumentException if they are not so long
   */
  public static Backoff ofIntake(Duration first, Duration longest) {
    if (first.toMillis() < 1 || longest.compareTo(first) < 0 || longest.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "pauses must be 1 ms to 1 day, and the longest not shorter than the first, were "
              + first
              + " and "
              + longest);
    }
    return doubling(first, longest);
  }

  /**
   * The next pause.
   *
   * @param attempts how many have failed; none counts as one
   * @return how long to wait
   */
  public Duration after(int attempts) {
    double grown = first.toNanos() * Math.pow(factor, Math.max(0, attempts - 1));
    boolean isLonger = grown >= longest.toSeconds() * 1e9 + longest.toNanosPart();
    Duration pause = isLonger ? longest : Duration.ofNanos((long) grown);
    return spread == 0
        ? pause
        : Duration.ofNanos(
            (long) (pause.toNanos() * ThreadLocalRandom.current().nextDouble(1 - spread, 1)));
  }
}
