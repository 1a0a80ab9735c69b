package dev.tidemark.dynamodb;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * The items that runners read first, up to a hundred in one request. What no request brings (one
 * that failed, keys that stay unprocessed) a runner reads by itself, so that a fault is its own.
 */
final class Lookups<T> {
  /** What BatchGetItem takes. */
  private static final int KEYS = 100;

  private static final int MOST_TRIES = 8;
  private static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(10), Duration.ofSeconds(1));

  private final Writes<T> writes;
  private final Map<Runner<T>, CompletableFuture<Void>> reads = new HashMap<>();

  Lookups(Writes<T> writes, Concurrency concurrency, List<Runner<T>> runners) {
    this.writes = writes;
    for (int from = 0; from < runners.size(); from += KEYS) {
      List<Runner<T>> some = runners.subList(from, Math.min(runners.size(), from + KEYS));
      CompletableFuture<Void> read =
          some.size() == 1
              ? CompletableFuture.completedFuture(null)
              : concurrency.run(writes.pressure(), () -> read(some)).exceptionally(error -> null);
      some.forEach(runner -> reads.put(runner, read));
    }
  }

  /** Ends when a runner may start. */
  CompletableFuture<Void> of(Runner<T> runner) {
    return reads.getOrDefault(runner, CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<Void> read(List<Runner<T>> runners) {
    Map<Map<String, AttributeValue>, Runner<T>> wanted = new LinkedHashMap<>();
    runners.forEach(
        runner -> wanted.put(comparable(writes.mapping().keys().of(runner.key())), runner));
    KeysAndAttributes keys =
        KeysAndAttributes.builder().keys(wanted.keySet()).consistentRead(true).build();
    return read(keys, wanted, 1);
  }

  private CompletableFuture<Void> read(
      KeysAndAttributes keys, Map<Map<String, AttributeValue>, Runner<T>> wanted, int tries) {
    int epoch = writes.pressure().epoch();
    return Transport.then(
        writes
            .transport()
            .get(BatchGetItemRequest.builder().requestItems(Map.of(writes.table(), keys)).build()),
        reply -> {
          KeysAndAttributes left = reply.unprocessedKeys().get(writes.table());
          boolean all = left == null || left.keys().isEmpty();
          writes.pressure().saw(epoch, !all);
          give(keys, reply, left, wanted);
          return left == null || all || tries == MOST_TRIES
              ? CompletableFuture.<Void>completedFuture(null)
              : writes
                  .transport()
                  .pause(BACKOFF.computeDelay(tries))
                  .thenCompose(done -> read(left, wanted, tries + 1));
        },
        error -> {
          writes.pressure().saw(epoch, Errors.isContended(error));
          return CompletableFuture.failedFuture(error);
        });
  }

  /** The same for numbers that are equal, however they are spelled. */
  private static Map<String, AttributeValue> comparable(Map<String, AttributeValue> key) {
    Map<String, AttributeValue> comparable = new HashMap<>();
    key.forEach(
        (name, value) ->
            comparable.put(
                name,
                value.n() == null
                    ? value
                    : AttributeValue.fromN(
                        new BigDecimal(value.n()).stripTrailingZeros().toString())));
    return comparable;
  }

  private void give(
      KeysAndAttributes asked,
      BatchGetItemResponse reply,
      @Nullable KeysAndAttributes left,
      Map<Map<String, AttributeValue>, Runner<T>> wanted) {
    Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items = new HashMap<>();
    reply
        .responses()
        .getOrDefault(writes.table(), List.of())
        .forEach(item -> items.put(comparable(writes.mapping().keys().of(item)), item));
    List<Map<String, AttributeValue>> later =
        left == null ? List.of() : left.keys().stream().map(Lookups::comparable).toList();
    for (Map<String, AttributeValue> spelled : asked.keys()) {
      Map<String, AttributeValue> key = comparable(spelled);
      if (!later.contains(key)) {
        Runner<T> runner = Objects.requireNonNull(wanted.get(key));
        runner.read(items.getOrDefault(key, Map.of()));
      }
    }
  }
}
