package dev.tidemark.lab.clusters;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and what is to happen in it. Of all threads only one acts at a time: the one that
 * asks for what is {@linkplain #next next}, or one that it lets {@linkplain #begin begin} and waits
 * for, until that is done or {@linkplain #hold holds}.
 */
final class Agenda implements AutoCloseable {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));

  private final Set<Semaphore> holding = new LinkedHashSet<>();
  private final Semaphore main = new Semaphore(0);
  private final ExecutorService threads = Executors.newCachedThreadPool(Agenda::thread);

  private long now;
  private long number;
  private boolean isOver;
  private @Nullable Throwable failure;

  private record Entry(long at, long number, Runnable action) {}

  private static Thread thread(Runnable action) {
    Thread thread = new Thread(action, "relay");
    thread.setDaemon(true);
    return thread;
  }

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

  /** Does something in which time may pass. */
  void begin(Runnable action) {
    threads.execute(
        () -> {
          try {
            action.run();
          } catch (RuntimeException | Error e) {
            failure = e;
          } finally {
            main.release();
          }
        });
    await();
  }

  private void await() {
    main.acquireUninterruptibly();
    if (failure != null) {
      throw new IllegalStateException("a relay failed", failure);
    }
  }

  /** Lets time pass for what has begun, while all others go on; false if there is no more of it. */
  boolean hold(long millis) {
    Semaphore mine = new Semaphore(0);
    if (!isOver) {
      holding.add(mine);
      at(now + millis, () -> resume(mine));
      main.release();
      mine.acquireUninterruptibly();
    }
    return !isOver;
  }

  private void resume(Semaphore one) {
    holding.remove(one);
    one.release();
    await();
  }

  /** Ends all that holds. */
  @Override
  public void close() {
    isOver = true;
    List.copyOf(holding).forEach(this::resume);
    threads.shutdown();
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
