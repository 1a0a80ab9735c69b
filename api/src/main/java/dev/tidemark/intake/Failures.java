package dev.tidemark.intake;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** How often messages failed, and when something succeeded last. For any number of threads. */
final class Failures {
  /** So many messages are counted at a time; of more, those that failed longest ago begin anew. */
  private static final int MOST = 10_000;

  /** How many times more the first message is tried that is given up while nothing succeeds. */
  private static final int PATIENCE = 10;

  private static final int MOST_DOUBLINGS = 30;

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
  private int givenUpInVain;

  Failures(int parkAfter, LongSupplier nanos) {
    this.parkAfter = parkAfter;
    this.nanos = nanos;
  }

  synchronized void succeeded() {
    hasSucceeded = true;
    lastSuccess = nanos.getAsLong();
    givenUpInVain = 0;
  }

  /** Counts a failure. */
  synchronized int failed(Object id) {
    return counts.merge(id, 1, Integer::sum);
  }

  /**
   * Whether to give a message up that failed so often. While nothing succeeds, one is given up to
   * see whether it was in the way of the others; if it was not, the next one is tried twice as
   * often.
   */
  synchronized boolean giveUp(int failures) {
    if (hasSucceeded && nanos.getAsLong() - lastSuccess <= IntakeBuilder.QUIET.toNanos()) {
      return failures >= parkAfter;
    }
    boolean isOver = failures >= ((long) parkAfter * PATIENCE) << givenUpInVain;
    if (isOver && givenUpInVain < MOST_DOUBLINGS) {
      givenUpInVain++;
    }
    return isOver;
  }

  /** Takes back that a message was given up, since the dead letters did not keep it. */
  synchronized void notKept() {
    givenUpInVain = Math.max(0, givenUpInVain - 1);
  }

  synchronized void forget(Object id) {
    counts.remove(id);
  }
}
