package dev.tidemark.outbox;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/** Passes that are made until nothing is left to send, or time is over. For one thread. */
final class Drain {
  private final LongSupplier nanos;
  private final long start;
  private final long most;
  private final long takeover;
  private final int shards;
  private RelayPass total;

  /** Whether the last pass has sent nothing. */
  private boolean isQuiet;

  /** Shards that were not looked at to their end since a message was sent last. */
  private Set<Integer> unseen = new HashSet<>();

  /**
   * Begins.
   *
   * @param most how long all passes may take
   * @param takeover how long to wait for shards that others have
   */
  Drain(LongSupplier nanos, Duration most, Duration takeover, OutboxRecords records) {
    this.nanos = nanos;
    this.start = nanos.getAsLong();
    this.most = most.toNanos();
    this.takeover = takeover.toNanos();
    this.shards = records.shards();
    this.total = new Tally().pass(records.name(), Duration.ZERO);
  }

  /**
   * Counts a pass; says whether it is the last.
   *
   * @param goesOn the shards that the pass has not looked at to their end
   */
  boolean isOverBehind(RelayPass pass, Set<Integer> goesOn) {
    total = total.then(pass);
    long passed = nanos.getAsLong() - start;
    boolean waits = pass.shards() < shards && passed < takeover;
    if (pass.sent() > 0 || !isQuiet) {
      unseen = new HashSet<>(goesOn);
    } else {
      unseen.retainAll(goesOn);
    }
    isQuiet = pass.sent() == 0;
    return passed >= most || (isQuiet && unseen.isEmpty() && !waits);
  }

  /** Whether there is nothing to do but to wait. */
  boolean isIdle() {
    return isQuiet && unseen.isEmpty();
  }

  RelayPass total() {
    return total;
  }
}
