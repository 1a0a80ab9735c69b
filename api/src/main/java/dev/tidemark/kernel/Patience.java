package dev.tidemark.kernel;

import java.time.Duration;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * How long a {@link Run} goes on against other writers, throttling and lost replies.
 *
 * @param tries after how many in vain it gives up, since a write was last accepted
 * @param losses after how many replies that did not come it gives up, likewise
 * @param yields how often it makes room for others before it gives up; none for a single call
 * @param pause how long to wait after so many tries
 * @param aside how long who lost a race of that duration leaves the field to others
 */
public record Patience(
    int tries, int losses, int yields, IntFunction<Duration> pause, UnaryOperator<Duration> aside) {

  /**
   * The same, making room for others.
   *
   * @param times how often
   * @return the same but for that
   */
  public Patience yielding(int times) {
    return new Patience(tries, losses, times, pause, aside);
  }
}
