package dev.tidemark.outbox;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Passes that are made until nothing is left to send, or time is over. For one thread. */
final class Drain {
  private final LongSupplier nanos;
  private final long start;
  private final long most;
  private final long takeover;
  private final int shards;
  private RelayPass total;

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

  /** Counts a pass; says whether it is the last. */
  boolean isOverBehind(RelayPass pass) {
    total = total.then(pass);
    long passed = nanos.getAsLong() - start;
    boolean waits = pass.shards() < shards && passed < takeover;
    return passed >= most || (pass.sent() == 0 && !waits);
  }

  RelayPass total() {
    return total;
  }
}
