package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.dynamodb.Transport.Turn;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Patience;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * Batches of one store: entities at the same time as far as there is room, the writes of each in
 * runs, what has to be read first in requests of up to a hundred keys.
 */
record Batches<T>(Calls<T> calls) {
  /** A run that is throttled for too long makes room for others that often. */
  private static final Patience PATIENCE = Runner.PATIENCE.yielding(10);

  CompletableFuture<List<Result<T>>> writeAll(List<Write<T>> all) {
    Batch<T> batch =
        new Batch<>(Batch.given(all).stream().map(calls::canonical).toList(), calls.tracking());
    return Transport.loop(() -> round(batch)).thenApply(over -> batch.results());
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
    return calls.runner(group.writes(), this::formed, PATIENCE);
  }

  /** The write as it is sent; refused where DynamoDB or the entity's class would. */
  private Write<T> formed(Write<T> write) {
    Keys keys = calls.mapping().keys();
    keys.of(write.key());
    if (!(write.action() instanceof Write.Action.Update<T> update)) {
      return write;
    }
    Edit edit = calls.edit(write.key(), update.update());
    if (update.update() instanceof Change) { // which may be one write with others
      edit.accept(new Update(keys.partition(), Expressions.PREFIX));
      return write;
    }
    return Calls.formed(write, edit);
  }

  private List<CompletableFuture<List<Result<T>>>> run(List<Runner<T>> runners) {
    Map<Runner<T>, CompletableFuture<Void>> reads =
        reads(runners.stream().filter(Runner::mustRead).toList());
    return runners.stream()
        .map(
            runner ->
                reads
                    .getOrDefault(runner, CompletableFuture.completedFuture(null))
                    .thenCompose(read -> Transport.loop(() -> go(runner)))
                    .thenApply(over -> runner.ended().results()))
        .toList();
  }

  /** The reads of runners that start with one; of a last one alone there is no request. */
  private Map<Runner<T>, CompletableFuture<Void>> reads(List<Runner<T>> runners) {
    Map<Runner<T>, CompletableFuture<Void>> reads = new HashMap<>();
    for (int from = 0; from + 1 < runners.size(); from += Lookup.MOST_KEYS) {
      List<Runner<T>> some =
          runners.subList(from, Math.min(runners.size(), from + Lookup.MOST_KEYS));
      CompletableFuture<Void> read =
          calls
              .pressure()
              .run(() -> calls.transport().carry(new Lookup<>(calls.writes(), some)))
              .exceptionally(error -> null);
      some.forEach(runner -> reads.put(runner, read));
    }
    return reads;
  }

  /** One stay of a run among those that are worked on; whether it needs another. */
  private CompletableFuture<Boolean> go(Runner<T> runner) {
    return calls
        .pressure()
        .run(() -> calls.transport().carry(runner))
        .thenApply(over -> runner.hasYielded());
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

  /**
   * The items that up to a hundred runners read first: one request, and more of them for keys that
   * were not processed. What no request brings (one that failed, keys that stay unprocessed) a
   * runner reads by itself, so that a fault is its own.
   */
  static final class Lookup<T> implements Transport.Exchange {
    /** What BatchGetItem takes. */
    static final int MOST_KEYS = 100;

    private static final int MOST_TRIES = 8;
    private static final BackoffStrategy BACKOFF =
        BackoffStrategy.exponentialDelay(Duration.ofMillis(10), Duration.ofSeconds(1));

    private final String table;
    private final Keys keys;

    /** By keys as items spell them. */
    private final Map<EntityKey, Runner<T>> wanted = new HashMap<>();

    private @Nullable KeysAndAttributes asked;
    private int tries;
    private boolean paused = true;

    Lookup(Writes<T> writes, List<Runner<T>> runners) {
      this.table = writes.table();
      this.keys = writes.mapping().keys();
      runners.forEach(runner -> wanted.put(keys.canonical(runner.key()), runner));
      this.asked =
          KeysAndAttributes.builder()
              .keys(wanted.keySet().stream().map(keys::of).toList())
              .consistentRead(true)
              .build();
    }

    @Override
    public @Nullable Turn next() {
      if (asked == null) {
        return null;
      }
      if (!paused) {
        paused = true;
        return new Turn.Pause(BACKOFF.computeDelay(tries));
      }
      return new Turn.Ask(BatchGetItemRequest.builder().requestItems(Map.of(table, asked)).build());
    }

    @Override
    public void replied(DynamoDbResponse reply) {
      BatchGetItemResponse batch = (BatchGetItemResponse) reply;
      KeysAndAttributes left = batch.unprocessedKeys().get(table);
      give(Objects.requireNonNull(asked), left, batch.responses().getOrDefault(table, List.of()));
      boolean over = left == null || left.keys().isEmpty() || ++tries == MOST_TRIES;
      asked = over ? null : left;
      paused = false;
    }

    @Override
    public void failed(Throwable error) {
      asked = null; // each runner reads by itself
    }

    /** Gives what was read, and that there is nothing under the other keys which were processed. */
    private void give(
        KeysAndAttributes asked,
        @Nullable KeysAndAttributes left,
        List<Map<String, AttributeValue>> items) {
      Map<EntityKey, Map<String, AttributeValue>> found = new HashMap<>();
      asked.keys().forEach(key -> found.put(keys.keyOf(key), Map.of()));
      if (left != null) {
        left.keys().forEach(key -> found.remove(keys.keyOf(key)));
      }
      items.forEach(item -> found.put(keys.keyOf(item), item));
      found.forEach(
          (key, item) -> {
            Runner<T> runner = wanted.get(key);
            if (runner != null) {
              runner.read(item);
            }
          });
    }
  }
}
