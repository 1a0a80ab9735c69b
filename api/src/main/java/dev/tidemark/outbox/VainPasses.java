package dev.tidemark.outbox;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Says when a relay's own way to the broker is the likelier culprit, so that other instances should
 * have its shards: its sender has taken nothing, and failed in as many passes as park a message,
 * for as long as the longest pause. For one thread at a time.
 */
final class VainPasses {
  private final Retries retries;
  private final LongSupplier nanos;
  private int passes;
  private long since;

  VainPasses(Retries retries, LongSupplier nanos) {
    this.retries = retries;
    this.nanos = nanos;
  }

  /** Counts a pass, and begins anew where it was one too many. */
  boolean isOver(Tally tally) {
    if (tally.failed == 0 || tally.sent > 0) {
      passes = tally.sent > 0 ? 0 : passes;
      return false;
    }
    long now = nanos.getAsLong();
    since = passes == 0 ? now : since;
    passes++;
    boolean isOver = passes >= retries.most() && now - since >= longest().toNanos();
    passes = isOver ? 0 : passes;
    return isOver;
  }

  /** For how long others come first: each message has had its turn with them by then. */
  Duration rest() {
    return longest().multipliedBy(2);
  }

  private Duration longest() {
    return retries.pauses().longest();
  }
}
