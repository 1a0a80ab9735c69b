package dev.tidemark.example.orderhistory.carrier;

import java.time.Duration;

/** How long a carrier waits before it tries again: twice as long each time, up to a limit. */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(250);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private Backoff() {}

  /** The pause after so many attempts without success, 1 or more. */
  static Duration after(int attempts) {
    Duration pause = FIRST.multipliedBy(1L << Math.min(attempts - 1, 10));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }
}
