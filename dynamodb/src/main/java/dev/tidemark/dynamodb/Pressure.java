package dev.tidemark.dynamodb;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many entities of its batches a store works on at the same time: a little more with every
 * request that went well, half as many when DynamoDB throttles (additive increase, multiplicative
 * decrease: <a href="https://doi.org/10.1016/0169-7552(89)90019-6">Chiu and Jain</a>). Safe for use
 * by many threads.
 */
final class Pressure {
  private final int most;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private double limit;
  private int running;
  private int epoch;
  private boolean draining;

  Pressure(int most) {
    this.most = most;
    this.limit = most;
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
  <R> CompletableFuture<R> run(Supplier<CompletableFuture<R>> work) {
    CompletableFuture<R> result = new CompletableFuture<>();
    synchronized (this) {
      waiting.add(() -> start(work, result));
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
