package dev.tidemark.dynamodb;

import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Batches of one store: entities at the same time as far as there is room, the writes of each in
 * runs, what has to be read first in requests of up to a hundred keys.
 */
final class Batches<T> {
  /** A run that is throttled for too long makes room for others that often. */
  private static final Patience PATIENCE = Runner.PATIENCE.yielding(10);

  private final Writes<T> writes;
  private final Tracking tracking;
  private final Concurrency concurrency;
  private final Calls<T> calls;

  Batches(Writes<T> writes, Tracking tracking, Concurrency concurrency, Calls<T> calls) {
    this.writes = writes;
    this.tracking = tracking;
    this.concurrency = concurrency;
    this.calls = calls;
  }

  CompletableFuture<List<Result<T>>> writeAll(List<Write<T>> all) {
    Batch<T> batch = new Batch<>(all.stream().map(this::canonical).toList(), tracking);
    return Transport.loop(() -> round(batch)).thenApply(over -> batch.results());
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
    List<Runner<T>> runners = groups.stream().map(this::runner).toList();
    List<CompletableFuture<List<Result<T>>>> ended = run(runners);
    return CompletableFuture.allOf(ended.toArray(CompletableFuture<?>[]::new))
        .handle(
            (over, error) -> {
              for (int i = 0; i < groups.size(); i++) {
                batch.end(groups.get(i), results(groups.get(i), ended.get(i)));
              }
              return true;
            });
  }

  private Runner<T> runner(Batch.Group<T> group) {
    return calls.runner(group.writes(), null, this::check, PATIENCE);
  }

  /** Refuses what DynamoDB or the entity's class would. */
  private void check(Write<T> write) {
    Mapping<T> mapping = writes.mapping();
    mapping.keys().of(write.key());
    if (write.action() instanceof Write.Action.Update<T> update) {
      Update nowhere = new Update(mapping.keys().partition(), "t");
      Edit.of(update.change(), mapping.properties()).actions().accept(nowhere);
    }
  }

  private List<CompletableFuture<List<Result<T>>>> run(List<Runner<T>> runners) {
    List<Runner<T>> reading = runners.stream().filter(Runner::mustRead).toList();
    Lookups<T> lookups = new Lookups<>(writes, concurrency, reading);
    List<CompletableFuture<List<Result<T>>>> ended = new ArrayList<>();
    for (Runner<T> runner : runners) {
      ended.add(
          lookups
              .of(runner)
              .thenCompose(read -> Transport.loop(() -> go(runner)))
              .thenApply(over -> results(runner)));
    }
    return ended;
  }

  private static <T> List<Result<T>> results(Runner<T> runner) {
    runner.run().remember(runner.item());
    return runner.run().results();
  }

  /** One stay of a run among those that are worked on; whether it needs another. */
  private CompletableFuture<Boolean> go(Runner<T> runner) {
    return concurrency.run(writes.pressure(), runner::go).thenApply(over -> runner.hasYielded());
  }

  /** A run that could not start, since its executor refused it, fails for each of its writes. */
  private List<Result<T>> results(Batch.Group<T> group, CompletableFuture<List<Result<T>>> ended) {
    try {
      return ended.join();
    } catch (java.util.concurrent.CompletionException e) {
      if (Errors.unwrap(e) instanceof RuntimeException fault) {
        return group.writes().stream().<Result<T>>map(write -> new Result.Failed<>(fault)).toList();
      }
      throw e;
    }
  }
}
