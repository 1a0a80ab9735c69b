package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.dynamodb.Transport.Turn;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Patience;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
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
    Batch<T> batch = new Batch<>(all.stream().map(this::canonical).toList(), calls.tracking());
    return Transport.loop(() -> round(batch)).thenApply(over -> batch.results());
  }

  /** The same write with the key as the item spells it, so that one entity is one group. */
  private Write<T> canonical(Write<T> write) {
    EntityKey key = calls.mapping().keys().canonical(write.key());
    return new Write<>(write.message(), key, write.action(), write.laneOrNull());
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
      edit.actions().accept(new Update(keys.partition(), Edit.PREFIX));
      return write;
    }
    Write.Action<T> action = new Write.Action.Update<>(edit);
    return new Write<>(write.message(), write.key(), action, write.laneOrNull());
  }

  private List<CompletableFuture<List<Result<T>>>> run(List<Runner<T>> runners) {
    List<Runner<T>> reading = runners.stream().filter(Runner::mustRead).toList();
    Lookups<T> lookups =
        new Lookups<>(calls.transport(), calls.writes(), calls.pressure(), reading);
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
   * The items that runners read first, up to a hundred in one request. What no request brings (one
   * that failed, keys that stay unprocessed) a runner reads by itself, so that a fault is its own.
   */
  static final class Lookups<T> {
    /** What BatchGetItem takes. */
    private static final int KEYS = 100;

    private static final int MOST_TRIES = 8;
    private static final BackoffStrategy BACKOFF =
        BackoffStrategy.exponentialDelay(Duration.ofMillis(10), Duration.ofSeconds(1));

    private final String table;
    private final Keys keys;
    private final Map<Map<String, AttributeValue>, Runner<T>> wanted = new HashMap<>();
    private final Map<Runner<T>, CompletableFuture<Void>> reads = new HashMap<>();

    Lookups(Transport transport, Writes<T> writes, Pressure pressure, List<Runner<T>> runners) {
      this.table = writes.table();
      this.keys = writes.mapping().keys();
      runners.forEach(runner -> wanted.put(comparable(keys.of(runner.key())), runner));
      for (int from = 0; from < runners.size(); from += KEYS) {
        List<Runner<T>> some = runners.subList(from, Math.min(runners.size(), from + KEYS));
        CompletableFuture<Void> read =
            some.size() == 1
                ? CompletableFuture.completedFuture(null)
                : pressure
                    .run(() -> transport.carry(new Lookup(some)))
                    .exceptionally(error -> null);
        some.forEach(runner -> reads.put(runner, read));
      }
    }

    /** Ends when a runner may start. */
    CompletableFuture<Void> of(Runner<T> runner) {
      return reads.getOrDefault(runner, CompletableFuture.completedFuture(null));
    }

    /** One request, and more of them for keys that were not processed. */
    private final class Lookup implements Transport.Exchange {
      private @Nullable KeysAndAttributes asked;
      private int tries;
      private boolean paused = true;

      Lookup(List<Runner<T>> runners) {
        asked =
            KeysAndAttributes.builder()
                .keys(runners.stream().map(runner -> keys.of(runner.key())).toList())
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
        return new Turn.Ask(
            BatchGetItemRequest.builder().requestItems(Map.of(table, asked)).build());
      }

      @Override
      public void replied(DynamoDbResponse reply) {
        BatchGetItemResponse batch = (BatchGetItemResponse) reply;
        give(Objects.requireNonNull(asked), batch);
        KeysAndAttributes left = batch.unprocessedKeys().get(table);
        boolean over = left == null || left.keys().isEmpty() || ++tries == MOST_TRIES;
        asked = over ? null : left;
        paused = false;
      }

      @Override
      public void failed(Throwable error) {
        asked = null; // each runner reads by itself
      }
    }

    /** The same for numbers that are equal, however they are spelled. */
    private static Map<String, AttributeValue> comparable(Map<String, AttributeValue> key) {
      Map<String, AttributeValue> comparable = new HashMap<>(key);
      comparable.replaceAll(
          (name, value) ->
              value.n() == null
                  ? value
                  : AttributeValue.fromN(
                      new BigDecimal(value.n()).stripTrailingZeros().toString()));
      return comparable;
    }

    /** Gives what was read, and that there is nothing under the other keys which were processed. */
    private void give(KeysAndAttributes asked, BatchGetItemResponse reply) {
      Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items = new HashMap<>();
      asked.keys().forEach(key -> items.put(comparable(key), Map.of()));
      KeysAndAttributes left = reply.unprocessedKeys().get(table);
      if (left != null) {
        left.keys().forEach(key -> items.remove(comparable(key)));
      }
      for (Map<String, AttributeValue> item : reply.responses().getOrDefault(table, List.of())) {
        items.put(comparable(keys.of(item)), item);
      }
      items.forEach(
          (key, item) -> {
            Runner<T> runner = wanted.get(key);
            if (runner != null) {
              runner.read(item);
            }
          });
    }
  }
}
