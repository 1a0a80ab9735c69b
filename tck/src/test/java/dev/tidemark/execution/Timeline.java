package dev.tidemark.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A time of its own, in which processes live on threads of which one moves at a time. Time passes
 * only while all of them wait, and goes on to what happens next, so that a run depends on nothing
 * but what is drawn.
 */
final class Timeline implements AutoCloseable {
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Actor> living = new ArrayList<>();
  private final Semaphore back = new Semaphore(0);
  private @Nullable Throwable failed;
  private long now;
  private long number;

  /** A killed process; nothing that it would do comes to pass. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** What happens at a time; of two at the same time, the one that was said first. */
  private record Event(long at, long number, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int time = Long.compare(at, other.at);
      return time == 0 ? Long.compare(number, other.number) : time;
    }
  }

  /** A process, which waits by {@link #sleep} alone. */
  final class Actor {
    private final Semaphore go = new Semaphore(0);
    private final Thread thread;
    private boolean isKilled;
    private boolean hasEnded;

    private Actor(String name, Runnable life) {
      this.thread = new Thread(() -> live(life), name);
      thread.setDaemon(true);
      thread.start();
    }

    private void live(Runnable life) {
      go.acquireUninterruptibly();
      try {
        life.run();
      } catch (Killed e) {
        // as it was told
      } catch (Throwable e) {
        failed = failed == null ? e : failed;
      }
      hasEnded = true;
      living.remove(this);
      back.release();
    }

    private void move() {
      if (!hasEnded) {
        go.release();
        back.acquireUninterruptibly();
      }
    }

    /** Lets it do nothing any more. */
    void kill() {
      isKilled = true;
    }

    /** Asks it to stop. */
    void interrupt() {
      thread.interrupt();
    }

    boolean isAlive() {
      return !hasEnded && !isKilled;
    }

    /** Waits; by this process's own thread. */
    void sleep(long nanos) {
      requireAlive();
      at(nanos, this::move);
      back.release();
      go.acquireUninterruptibly();
      requireAlive();
    }

    private void requireAlive() {
      if (isKilled) {
        throw new Killed();
      }
    }
  }

  long now() {
    return now;
  }

  /** Lets something happen in so many nanoseconds. */
  void at(long nanos, Runnable what) {
    events.add(new Event(now + Math.max(0, nanos), number++, what));
  }

  Actor start(String name, Runnable life) {
    Actor process = new Actor(name, life);
    living.add(process);
    at(0, process::move);
    return process;
  }

  /** Lets time pass until nothing is left to happen. */
  void run() {
    while (!events.isEmpty()) {
      Event next = events.remove();
      now = next.at();
      next.what().run();
      if (failed != null) {
        throw new AssertionError("at " + now / 1_000_000 + " ms", failed);
      }
    }
  }

  @Override
  public void close() {
    for (Actor process : List.copyOf(living)) {
      process.kill();
      process.move();
    }
  }
}
