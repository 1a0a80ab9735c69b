package dev.tidemark.dynamodb;

import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Batches of one store: entities at the same time as far as there is room, the writes of each in
 * runs, what has to be read first in requests of up to a hundred keys.
 */
record Batches<T>(Transport transport, Writes<T> writes, Calls<T> calls, Pressure pressure) {
  /** A run that is throttled for too long makes room for others that often. */
  private static final Patience PATIENCE = Runner.PATIENCE.yielding(10);

  CompletableFuture<List<Result<T>>> writeAll(List<Write<T>> all) {
    Batch<T> batch = new Batch<>(all.stream().map(this::canonical).toList(), calls.tracking());
    return Transport.loop(() -> round(batch)).thenApply(over -> batch.results());
  }

  /** The same write with the key as the item spells it, so that one entity is one group. */
  private Write<T> canonical(Write<T> write) {
    return new Write<>(
        write.message(),
        writes.mapping().keys().canonical(write.key()),
        write.action(),
        write.laneOrNull());
  }

  private CompletableFuture<Boolean> round(Batch<T> batch) {
    List<Batch.Group<T>> groups = batch.next();
    if (groups.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    List<CompletableFuture<List<Result<T>>>> ended =
        run(groups.stream().map(this::runner).toList());
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
    Run<T> run = calls.run(group.writes(), null, this::check, PATIENCE);
    return new Runner<>(transport, writes, group.key(), run);
  }

  /** Refuses what DynamoDB or the entity's class would. */
  private void check(Write<T> write) {
    Keys keys = writes.mapping().keys();
    keys.of(write.key());
    if (write.action() instanceof Write.Action.Update<T> update) {
      Edit.of(update.change(), writes.mapping().properties())
          .actions()
          .accept(new Update(keys.partition(), Edit.PREFIX));
    }
  }

  private List<CompletableFuture<List<Result<T>>>> run(List<Runner<T>> runners) {
    List<Runner<T>> reading = runners.stream().filter(Runner::mustRead).toList();
    Lookups<T> lookups = new Lookups<>(transport, writes, pressure, reading);
    List<CompletableFuture<List<Result<T>>>> ended = new ArrayList<>();
    for (Runner<T> runner : runners) {
      ended.add(
          lookups
              .of(runner)
              .thenCompose(read -> Transport.loop(() -> go(runner)))
              .thenApply(over -> runner.ended().results()));
    }
    return ended;
  }

  /** One stay of a run among those that are worked on; whether it needs another. */
  private CompletableFuture<Boolean> go(Runner<T> runner) {
    return pressure.run(runner::go).thenApply(over -> runner.hasYielded());
  }

  /** A run that could not start, since its executor refused it, fails for each of its writes. */
  private List<Result<T>> results(Batch.Group<T> group, CompletableFuture<List<Result<T>>> ended) {
    try {
      return ended.join();
    } catch (CompletionException e) {
      if (Errors.unwrap(e) instanceof RuntimeException fault) {
        return group.writes().stream().<Result<T>>map(write -> new Result.Failed<>(fault)).toList();
      }
      throw e;
    }
  }
}
