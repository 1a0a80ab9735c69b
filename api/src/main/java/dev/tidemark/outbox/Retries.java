package dev.tidemark.outbox;

import dev.tidemark.kernel.Backoff;
import java.time.Duration;

/**
 * When a message is tried again, and when it is parked.
 *
 * @param pauses before a message is tried again
 * @param most after how many tries a message is parked
 */
record Retries(Backoff pauses, int most) {
  /** How many times more a message is tried while its destination takes nothing else. */
  static final int PATIENCE = 10;

  static final Retries DEFAULT =
      new Retries(Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(1)), 10);

  /** The pause after so many tries, in milliseconds. */
  long pause(int tries) {
    return pauses.after(tries).toMillis();
  }

  /** The longest pause, in milliseconds. */
  long longest() {
    return pauses.longest().toMillis();
  }

  /** Whether a message that could not be sent so often is parked. */
  boolean isOver(Tries tries) {
    return tries.counted() >= most || tries.all() - tries.counted() >= most * PATIENCE;
  }
}
