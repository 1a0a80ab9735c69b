package dev.tidemark.outbox;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Says when a relay itself is the likelier culprit, so that other instances should have its shards:
 * its sender has taken nothing, or the store has refused all of its looks and no hint has led to a
 * message that was sent, or the store has refused all of its changes, and that in as many passes as
 * park a message, for as long as the longest pause. For one thread at a time.
 */
final class VainPasses {
  private final Retries retries;
  private final LongSupplier nanos;
  private final Vain sending = new Vain();
  private final Vain looking = new Vain();
  private final Vain clearing = new Vain();

  VainPasses(Retries retries, LongSupplier nanos) {
    this.retries = retries;
    this.nanos = nanos;
  }

  /** Counts a pass, and begins anew where it was one too many. */
  boolean isOver(Tally tally) {
    boolean isOver = sending.isOver(tally.failed, tally.sent);
    isOver |= looking.isOver(tally.unlooked, tally.looked + tally.sent); // by hints
    isOver |= clearing.isOver(tally.unwritten, tally.written + tally.refused);
    return isOver;
  }

  /** Passes in which one thing failed, and never was done in between. */
  private final class Vain {
    private int passes;
    private long since;

    /** Counts a pass, in which it failed so often, and was done so often. */
    boolean isOver(int failed, int done) {
      if (failed == 0 || done > 0) {
        passes = done > 0 ? 0 : passes;
        return false;
      }
      long now = nanos.getAsLong();
      since = passes == 0 ? now : since;
      passes++;
      boolean isOver = passes >= retries.most() && now - since >= longest().toNanos();
      passes = isOver ? 0 : passes;
      return isOver;
    }
  }

  /** For how long others come first: each message has had its turn with them by then. */
  Duration rest() {
    return longest().multipliedBy(2);
  }

  private Duration longest() {
    return retries.pauses().longest();
  }
}
