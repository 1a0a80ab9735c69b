package dev.tidemark.dynamodb;

import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Fold;
import dev.tidemark.kernel.Recall;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Batches of one store: entities at the same time as far as there is room, the writes of each in
 * folds, what has to be read first in requests of up to a hundred keys.
 */
final class DynamoDbBatches<T> {
  private final DynamoDbWrites<T> writes;
  private final Tracking tracking;
  private final Clock clock;
  private final DynamoDbConcurrency concurrency;
  private final Recall recall;
  private final Function<Write<T>, CompletableFuture<Result<T>>> alone;

  DynamoDbBatches(
      DynamoDbWrites<T> writes,
      Tracking tracking,
      Clock clock,
      DynamoDbConcurrency concurrency,
      Recall recall,
      Function<Write<T>, CompletableFuture<Result<T>>> alone) {
    this.writes = writes;
    this.tracking = tracking;
    this.clock = clock;
    this.concurrency = concurrency;
    this.recall = recall;
    this.alone = alone;
  }

  CompletableFuture<List<Result<T>>> writeAll(List<Write<T>> all) {
    Batch<T> batch = new Batch<>(all.stream().map(this::canonical).toList(), tracking);
    return DynamoDbTransport.loop(() -> round(batch)).thenApply(over -> batch.results());
  }

  /** The same write with the key as the item spells it, so that one entity is one group. */
  private Write<T> canonical(Write<T> write) {
    return new Write<>(
        write.message(), writes.canonical(write.key()), write.action(), write.laneOrNull());
  }

  private CompletableFuture<Boolean> round(Batch<T> batch) {
    List<Batch.Group<T>> groups = batch.next();
    if (groups.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    List<DynamoDbFold<T>> folds = groups.stream().map(this::fold).toList();
    List<CompletableFuture<List<Result<T>>>> ended = run(folds);
    return CompletableFuture.allOf(ended.toArray(CompletableFuture<?>[]::new))
        .handle(
            (over, error) -> {
              for (int i = 0; i < groups.size(); i++) {
                batch.end(groups.get(i), results(groups.get(i), ended.get(i)));
              }
              return true;
            });
  }

  private DynamoDbFold<T> fold(Batch.Group<T> group) {
    Fold<T> fold = new Fold<>(group.writes(), tracking, writes.names(), clock, this::check, recall);
    return new DynamoDbFold<>(writes, group.key(), fold, alone)
        .recalled(recall.stored(group.key()));
  }

  /** Refuses what DynamoDB or the entity's class would. */
  private void check(Write<T> write) {
    DynamoDbMapping<T> mapping = writes.mapping();
    mapping.keys().of(write.key());
    if (write.action() instanceof Write.Action.Update<T> update) {
      DynamoDbUpdate nowhere = new DynamoDbUpdate(mapping.keys().partition(), "t");
      DynamoDbEdit.of(update.change(), mapping.properties()).actions().accept(nowhere);
    }
  }

  private List<CompletableFuture<List<Result<T>>>> run(List<DynamoDbFold<T>> folds) {
    List<DynamoDbFold<T>> looking = folds.stream().filter(DynamoDbFold::mustLook).toList();
    DynamoDbLookups<T> lookups = new DynamoDbLookups<>(writes, concurrency, looking);
    List<CompletableFuture<List<Result<T>>>> ended = new ArrayList<>();
    for (DynamoDbFold<T> fold : folds) {
      ended.add(
          lookups
              .of(fold)
              .thenCompose(read -> DynamoDbTransport.loop(() -> run(fold)))
              .thenApply(over -> fold.results()));
    }
    return ended;
  }

  /** One stay of a fold among those that are worked on; whether it needs another. */
  private CompletableFuture<Boolean> run(DynamoDbFold<T> fold) {
    return concurrency.run(writes.pressure(), fold::run).thenApply(over -> fold.isPostponed());
  }

  /** A fold that could not run, since its executor refused it, fails for each of its writes. */
  private List<Result<T>> results(Batch.Group<T> group, CompletableFuture<List<Result<T>>> ended) {
    try {
      return ended.join();
    } catch (java.util.concurrent.CompletionException e) {
      if (DynamoDbErrors.unwrap(e) instanceof RuntimeException fault) {
        return group.writes().stream().<Result<T>>map(write -> new Result.Failed<>(fault)).toList();
      }
      throw e;
    }
  }
}
