package dev.tidemark.lab.clusters;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time, and what is to happen in it. For one thread. */
final class Agenda {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));

  private long now;
  private long number;

  private record Entry(long at, long number, Runnable action) {}

  /** Milliseconds since the start. */
  long now() {
    return now;
  }

  long nanos() {
    return now * 1_000_000;
  }

  void at(long time, Runnable action) {
    entries.add(new Entry(Math.max(now, time), number++, action));
  }

  /** Does what is next; false if that is later than some time, or nothing is. */
  boolean next(long end) {
    Entry entry = entries.peek();
    if (entry == null || entry.at() > end) {
      return false;
    }
    entries.remove();
    now = entry.at();
    entry.action().run();
    return true;
  }

  /** Lets time pass while somebody waits for a reply: all others go on meanwhile. */
  void hold(long millis) {
    long end = now + millis;
    while (next(end)) {
      // others act, and may hold in their turn
    }
    now = Math.max(now, end);
  }

  /** A clock that differs from the true time. */
  Clock clock(long skew) {
    return new Clock() {
      @Override
      public Instant instant() {
        return START.plusMillis(now + skew);
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }
    };
  }
}
