package dev.tidemark.projector;

import dev.tidemark.AsyncEntityStore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A {@link Projector} into an {@link AsyncEntityStore}: the same handlers, outcomes and faults, as
 * futures. No thread waits. Immutable and safe for use by many threads.
 *
 * @param <T> the entity's type
 */
public final class AsyncProjector<T> {
  private final AsyncEntityStore<T> store;
  private final Handlers<T> handlers;

  AsyncProjector(AsyncEntityStore<T> store, Handlers<T> handlers) {
    this.store = store;
    this.handlers = handlers;
  }

  /**
   * As {@link Projector#handle(Delivery)}.
   *
   * @param delivery the delivery
   * @return what it did; fails with what that method throws
   */
  public CompletableFuture<Outcome<T>> handle(Delivery delivery) {
    try {
      Handlers.Doing<T> doing = handlers.doing(delivery);
      if (doing.transaction() != null) {
        return CompletableFuture.supplyAsync(doing.transaction());
      }
      return doing.write() == null
          ? CompletableFuture.completedFuture(new Outcome.Ignored<>())
          : store.write(doing.write());
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * As {@link Projector#handle(List)}.
   *
   * @param deliveries in the order in which they came
   * @return what became of each; faults are in there, so it fails with an {@link Error} alone
   */
  public CompletableFuture<BatchOutcome<T>> handle(List<Delivery> deliveries) {
    return handlers.hasTransactions()
        ? pieces(new Together<>(store.tracking(), handlers, deliveries))
        : batch(handlers.told(deliveries));
  }

  private CompletableFuture<BatchOutcome<T>> pieces(Together<T> together) {
    Together.Piece<T> piece = together.next();
    if (piece == null) {
      return CompletableFuture.completedFuture(together.outcome());
    }
    Supplier<Outcome<T>> transaction = piece.transaction();
    CompletableFuture<List<Result<T>>> results =
        transaction == null
            ? batch(piece.told()).thenApply(BatchOutcome::results)
            : CompletableFuture.supplyAsync(() -> List.of(Together.result(transaction)));
    return results.thenCompose(
        all -> {
          together.done(all);
          return pieces(together);
        });
  }

  private CompletableFuture<BatchOutcome<T>> batch(List<Told<T>> told) {
    ProjectorBatch<T> batch = new ProjectorBatch<>(store.tracking(), handlers, told);
    return batch.writes().isEmpty()
        ? CompletableFuture.completedFuture(batch.outcome(List.of()))
        : store.writeAll(batch.writes()).thenApply(batch::outcome);
  }
}
