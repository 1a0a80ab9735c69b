package dev.tidemark.execution;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Growing pauses with jitter: 5 ms, half as long again each time, at most 500 ms. */
final class Backoff {
  private static final int TRIES = 12;

  /** How a thread waits; a test's does not. */
  @FunctionalInterface
  interface Pauses {
    /** Waits; ends early where the thread is interrupted, which stays so. */
    void pause(Duration time);
  }

  private final Pauses pauses;
  private double millis = 5;
  private int tries;

  Backoff(Pauses pauses) {
    this.pauses = pauses;
  }

  /** Waits before another try; false if there was none left. */
  boolean again() {
    if (++tries > TRIES) {
      return false;
    }
    pause(Duration.ofMillis(500));
    return true;
  }

  /** Waits, at most so long. */
  void pause(Duration most) {
    double jitter = ThreadLocalRandom.current().nextDouble(0.5, 1);
    Duration time = Duration.ofNanos((long) (millis * jitter * 1e6));
    millis = Math.min(500, millis * 1.5);
    pauses.pause(time.compareTo(most) < 0 ? time : most);
  }
}
