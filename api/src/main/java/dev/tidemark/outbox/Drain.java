package dev.tidemark.outbox;

import dev.tidemark.kernel.Times;
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

  /** Shards in which nothing was to be sent when they were looked at last. */
  private final Set<Integer> ended = new HashSet<>();

  private boolean isAtEnd;

  /** Whether nothing came of the last pass: what it found is as it was. */
  private boolean isStuck;

  /**
   * Begins.
   *
   * @param most how long all passes may take
   * @param takeover how long to wait for shards that others have
   */
  Drain(LongSupplier nanos, Duration most, Duration takeover, OutboxRecords records) {
    this.nanos = nanos;
    this.start = nanos.getAsLong();
    this.most =
        Times.within("most", Duration.ZERO, most.isNegative() ? Duration.ZERO : most).toNanos();
    this.takeover = takeover.toNanos();
    this.shards = records.shards();
    this.total = new Tally().pass(records.name(), Duration.ZERO);
  }

  /** Tells by an error that no pass is made. */
  void notBegun(String why) {
    Tally none = new Tally();
    none.interrupted(new InterruptedException(why));
    total = total.then(none.pass(total.records(), Duration.ZERO), true);
  }

  /** Counts a pass; says whether it is the last. */
  boolean isOverBehind(RelayPass pass, Tally tally, boolean isWithoutHints) {
    total = total.then(pass, tally.isInterrupted);
    long passed = nanos.getAsLong() - start;
    boolean waits = pass.shards() < shards && passed < takeover;
    ended.addAll(tally.ended);
    ended.removeAll(tally.found);
    isAtEnd = isWithoutHints && ended.containsAll(tally.mine);
    isStuck = !tally.found.isEmpty() && tally.written == 0;
    return passed >= most || (isAtEnd && !waits) || tally.isInterrupted;
  }

  /** Whether there is nothing to do but to wait. */
  boolean isIdle() {
    return isAtEnd || isStuck;
  }

  /** How much time is left. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, most - (nanos.getAsLong() - start)));
  }

  RelayPass total() {
    return total;
  }
}
