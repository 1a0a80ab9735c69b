package dev.tidemark.intake;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How often messages failed, which of them are dead letters already and come again all the same,
 * and when something succeeded last. For any number of threads.
 */
final class Failures {
  /**
   * So many messages are counted at a time. Of more, the others are counted once there is room:
   * were they to drive out the counts of those before them, messages that all fail in turn would
   * never be given up.
   */
  private static final int MOST = 10_000;

  /** A message that has not failed for so long gives way: it may have gone to another instance. */
  private static final long FORGOTTEN_NANOS = Duration.ofHours(1).toNanos();

  /** How many times more the first message is tried that is given up while nothing succeeds. */
  private static final int PATIENCE = 10;

  private static final int MOST_DOUBLINGS = 30;

  private final int parkAfter;
  private final LongSupplier nanos;

  /** The message that failed longest ago is the first. */
  private final Map<Object, Count> counts = new LinkedHashMap<>();

  /** Why messages are dead letters. Those that have been so for longest give way to others. */
  private final Map<Object, String> letters =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, String> eldest) {
          return size() > MOST;
        }
      };

  private boolean hasSucceeded;
  private long lastSuccess;
  private int givenUpInVain;

  private record Count(int failures, long lastFailure) {}

  Failures(int parkAfter, LongSupplier nanos) {
    this.parkAfter = parkAfter;
    this.nanos = nanos;
  }

  synchronized void succeeded() {
    hasSucceeded = true;
    lastSuccess = nanos.getAsLong();
    givenUpInVain = 0;
  }

  /** Counts a failure, and tells how many there were; 1 where there is no room to count. */
  synchronized int failed(Object id) {
    long now = nanos.getAsLong();
    Count before = counts.remove(id);
    int failures = before == null ? 1 : before.failures() + 1;
    if (before != null || hasRoom(now)) {
      counts.put(id, new Count(failures, now));
    }
    return failures;
  }

  private boolean hasRoom(long now) {
    if (counts.size() < MOST) {
      return true;
    }
    Iterator<Count> first = counts.values().iterator();
    boolean isForgotten = now - first.next().lastFailure() > FORGOTTEN_NANOS;
    if (isForgotten) {
      first.remove();
    }
    return isForgotten;
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

  /** Remembers a letter of a message that comes again, since one in front of it is not done. */
  synchronized void kept(Object id, String why) {
    letters.put(id, why);
  }

  /** Why a message is a dead letter already. */
  synchronized @Nullable String letter(Object id) {
    return letters.get(id);
  }

  /** Forgets a message that does not come again. */
  synchronized void forget(Object id) {
    counts.remove(id);
    letters.remove(id);
  }
}
