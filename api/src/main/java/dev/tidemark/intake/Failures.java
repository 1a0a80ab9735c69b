package dev.tidemark.intake;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How often messages failed, and when something succeeded last. For any number of threads. */
final class Failures {
  /** So many messages are counted at a time; of more, those that failed longest ago begin anew. */
  private static final int MOST = 10_000;

  /** How many times more a message is tried while nothing at all succeeds. */
  private static final int PATIENCE = 10;

  private final int parkAfter;
  private final LongSupplier nanos;
  private final Map<Object, Integer> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Integer> eldest) {
          return size() > MOST;
        }
      };
  private boolean hasSucceeded;
  private long lastSuccess;

  Failures(int parkAfter, LongSupplier nanos) {
    this.parkAfter = parkAfter;
    this.nanos = nanos;
  }

  synchronized void succeeded() {
    hasSucceeded = true;
    lastSuccess = nanos.getAsLong();
  }

  /** Counts a failure. */
  synchronized int failed(Object id) {
    return counts.merge(id, 1, Integer::sum);
  }

  /** Whether a message that failed so often is given up. */
  synchronized boolean areTooMany(int failures) {
    boolean others =
        hasSucceeded && nanos.getAsLong() - lastSuccess <= IntakeBuilder.QUIET.toNanos();
    return failures >= (others ? parkAfter : (long) parkAfter * PATIENCE);
  }

  synchronized void forget(Object id) {
    counts.remove(id);
  }
}
