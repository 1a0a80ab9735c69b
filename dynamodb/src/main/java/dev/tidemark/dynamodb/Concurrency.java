package dev.tidemark.dynamodb;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * On which threads the entities of a batch are worked on.
 *
 * @param most how many at the same time, at most
 * @param executor runs each of them; null for the thread that is there
 */
record Concurrency(int most, @Nullable Executor executor) {
  private static final int MOST = 10_000;

  /** One after the other, on the calling thread. */
  static final Concurrency NONE = new Concurrency(1, null);

  Concurrency {
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException("maxConcurrency must be 1 to 10000, was " + most);
    }
  }

  /** Runs some work when there is room. One after the other needs none: callers do not wait. */
  @SuppressWarnings({"FutureReturnValueIgnored", "ReferenceEquality"})
  <R> CompletableFuture<R> run(Pressure pressure, Supplier<CompletableFuture<R>> work) {
    if (this == NONE) { // not another that is equal
      return Transport.start(work);
    }
    Executor threads = executor;
    return pressure.run(
        threads == null
            ? work
            : () -> CompletableFuture.supplyAsync(work, threads).thenCompose(Function.identity()));
  }
}
