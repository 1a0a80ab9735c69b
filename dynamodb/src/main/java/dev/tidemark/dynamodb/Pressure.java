package dev.tidemark.dynamodb;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many entities of its batches a store works on at the same time: a little more with every
 * request that went well, half as many when DynamoDB throttles (additive increase, multiplicative
 * decrease: <a href="https://doi.org/10.1016/0169-7552(89)90019-6">Chiu and Jain</a>). Safe for use
 * by many threads.
 */
class Pressure {
  private static final int MOST = 10_000;

  private final int most;
  private final @Nullable Executor executor;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private double limit;
  private int running;
  private int epoch;
  private boolean draining;

  /**
   * Room for entities.
   *
   * @param most how many at the same time, at most
   * @param executor runs each of them; null for the thread that is there
   */
  Pressure(int most, @Nullable Executor executor) {
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException("maxConcurrency must be 1 to 10000, was " + most);
    }
    this.most = most;
    this.executor = executor;
    this.limit = most;
  }

  /** One entity after the other, on the calling thread: callers do not wait for each other. */
  static Pressure none() {
    return new Pressure(1, null) {
      @Override
      <R> CompletableFuture<R> run(Supplier<CompletableFuture<R>> work) {
        return Transport.start(work);
      }

      @Override
      boolean isOn() {
        return false;
      }
    };
  }

  /** Whether there is anything to tell of throttling. */
  boolean isOn() {
    return true;
  }

  /** How many entities may be worked on now. */
  synchronized int limit() {
    return (int) limit;
  }

  /** The number of decreases so far: what a request that starts now is sent under. */
  synchronized int epoch() {
    return epoch;
  }

  /** Takes note of a request. What was sent before a decrease cannot tell of the new limit. */
  synchronized void saw(int sentUnder, boolean throttled) {
    if (throttled && sentUnder == epoch) {
      limit = Math.max(1, limit / 2);
      epoch++;
    } else if (!throttled) {
      limit = Math.min(most, limit + 1 / limit);
    }
  }

  /** Starts some work once there is room for it; its room is free again when its future ends. */
  @SuppressWarnings("FutureReturnValueIgnored")
  <R> CompletableFuture<R> run(Supplier<CompletableFuture<R>> work) {
    Executor threads = executor;
    Supplier<CompletableFuture<R>> started =
        threads == null
            ? work
            : () -> CompletableFuture.supplyAsync(work, threads).thenCompose(Function.identity());
    CompletableFuture<R> result = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(() -> start(started, result));
    }
    drain();
    return result;
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private <R> void start(Supplier<CompletableFuture<R>> work, CompletableFuture<R> result) {
    Transport.start(work)
        .whenComplete(
            (value, error) -> {
              synchronized (this) {
                running--;
              }
              if (error == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(error);
              }
              drain();
            });
  }

  /** Starts what has room: on one thread at a time, which comes back for what ends meanwhile. */
  private void drain() {
    for (Runnable next = next(true); next != null; next = next(false)) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next(boolean entering) {
    if (entering && draining) {
      return null;
    }
    Runnable next = running < (int) limit ? waiting.poll() : null;
    running += next == null ? 0 : 1;
    draining = next != null;
    return next;
  }
}
