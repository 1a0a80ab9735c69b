package dev.tidemark.lab.clusters;

import java.util.Arrays;

/** What consumers were told: each message, how often, when first, and whether in its order. */
final class Told {
  private static final int NONE = -1;

  private final int[] times;
  private final long[] published;
  private final long[] delays;
  private final int[] origins;

  /** The message of its entity that has to come first; -1 if none has. */
  private final int[] behind;

  private int count;
  private int disorder;

  Told(int messages) {
    times = new int[messages];
    published = new long[messages];
    delays = new long[messages];
    origins = new int[messages];
    behind = new int[messages];
  }

  /** Notes a message that is published, and gives its number. */
  int published(long now, int origin, int behindOf) {
    origins[count] = origin;
    published[count] = now;
    behind[count] = behindOf;
    return count++;
  }

  void told(int message, long now) {
    if (times[message]++ == 0) {
      delays[message] = now - published[message];
      disorder += behind[message] != NONE && times[behind[message]] == 0 ? 1 : 0;
    }
  }

  int lost() {
    return (int) Arrays.stream(times, 0, count).filter(n -> n == 0).count();
  }

  long copies() {
    return Arrays.stream(times, 0, count).filter(n -> n > 1).mapToLong(n -> n - 1L).sum();
  }

  /**
   * The most messages that were published in a time of this length.
   *
   * @param origin the cluster that published them; -1 for all
   */
  long most(long length, int origin) {
    long most = 0;
    long inside = 0;
    int first = 0;
    for (int next = 0; next < count; next++) {
      inside += isOf(next, origin) ? 1 : 0;
      while (published[next] - published[first] > length) {
        inside -= isOf(first++, origin) ? 1 : 0;
      }
      most = Math.max(most, inside);
    }
    return most;
  }

  /** How many messages a cluster published in a time. */
  long between(long from, long to, int origin) {
    long found = 0;
    for (int message = 0; message < count; message++) {
      found +=
          isOf(message, origin) && from <= published[message] && published[message] <= to ? 1 : 0;
    }
    return found;
  }

  private boolean isOf(int message, int origin) {
    return origin < 0 || origins[message] == origin;
  }

  int count() {
    return count;
  }

  int disorder() {
    return disorder;
  }

  /** A delay in milliseconds that so large a part of all messages did not exceed. */
  long delay(double part) {
    long[] sorted = Arrays.copyOf(delays, count);
    Arrays.sort(sorted);
    return count == 0 ? 0 : sorted[(int) Math.min(count - 1L, (long) (part * count))];
  }
}
