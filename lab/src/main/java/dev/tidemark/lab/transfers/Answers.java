package dev.tidemark.lab.transfers;

import dev.tidemark.inbox.Handled;
import dev.tidemark.lab.transfers.Transfer.Told;
import dev.tidemark.transaction.Committed;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** What answers of the library tell of a transfer. */
final class Answers {
  /** How long a message is claimed for: a process that is cut off holds others up no longer. */
  static final Duration CLAIM = Duration.ofSeconds(1);

  private static final Duration LONGEST = Duration.ofMillis(100);

  private Answers() {}

  static Told of(Committed committed) {
    return committed.isCommitted() ? Told.MADE : committed.isDone() ? Told.KNOWN : Told.NOTHING;
  }

  static Told of(Handled<String> handled) {
    if (handled instanceof Handled.InFlight<String> inFlight) {
      Duration left = inFlight.retryAfter();
      LockSupport.parkNanos((left.compareTo(LONGEST) < 0 ? left : LONGEST).toNanos());
    }
    return handled instanceof Handled.Applied
        ? Told.MADE
        : handled.isDone() ? Told.KNOWN : Told.NOTHING;
  }
}
