package dev.tidemark.dynamodb;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the rounds of one call one after the other, in a loop: however many there are, no stack
 * grows with them, and a round that has to be followed by another says so by what it returns.
 */
final class DynamoDbRounds {
  private DynamoDbRounds() {}

  /** Ends a round that is not the last. */
  private static final class Next extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Supplier<? extends CompletableFuture<?>> round;

    Next(Supplier<? extends CompletableFuture<?>> round) {
      super(null, null, false, false);
      this.round = round;
    }

    /** The rounds of one call all have the type of its result. */
    @SuppressWarnings("unchecked")
    <R> Supplier<CompletableFuture<R>> round() {
      return (Supplier<CompletableFuture<R>>) round;
    }
  }

  /** What a round returns to be followed by another. */
  static <R> CompletableFuture<R> next(Supplier<CompletableFuture<R>> round) {
    return CompletableFuture.failedFuture(new Next(round));
  }

  /** The result of the last round. */
  static <R> CompletableFuture<R> run(Supplier<CompletableFuture<R>> first) {
    Supplier<CompletableFuture<R>> round = first;
    while (true) {
      CompletableFuture<R> ended = DynamoDbTransport.start(round);
      if (!ended.isDone()) {
        return DynamoDbTransport.then(
            ended,
            CompletableFuture::completedFuture,
            error ->
                error instanceof Next next
                    ? run(next.round())
                    : CompletableFuture.failedFuture(error));
      }
      Throwable error = error(ended);
      if (!(error instanceof Next next)) {
        return ended;
      }
      round = next.round();
    }
  }

  private static @Nullable Throwable error(CompletableFuture<?> ended) {
    return ended.isCompletedExceptionally()
        ? ended.handle((result, error) -> DynamoDbErrors.unwrap(error)).join()
        : null;
  }
}
