package dev.tidemark.dynamodb;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

  private final Transport transport;
  private final String table;
  private final Keys keys;
  private final Map<Map<String, AttributeValue>, Runner<T>> wanted = new HashMap<>();
  private final Map<Runner<T>, CompletableFuture<Void>> reads = new HashMap<>();

  Lookups(Transport transport, Writes<T> writes, Pressure pressure, List<Runner<T>> runners) {
    this.transport = transport;
    this.table = writes.table();
    this.keys = writes.mapping().keys();
    runners.forEach(runner -> wanted.put(comparable(keys.of(runner.key())), runner));
    for (int from = 0; from < runners.size(); from += KEYS) {
      List<Runner<T>> some = runners.subList(from, Math.min(runners.size(), from + KEYS));
      CompletableFuture<Void> read =
          some.size() == 1
              ? CompletableFuture.completedFuture(null)
              : pressure.run(() -> read(some)).exceptionally(error -> null);
      some.forEach(runner -> reads.put(runner, read));
    }
  }

  /** Ends when a runner may start. */
  CompletableFuture<Void> of(Runner<T> runner) {
    return reads.getOrDefault(runner, CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<Void> read(List<Runner<T>> runners) {
    List<Map<String, AttributeValue>> asked =
        runners.stream().map(runner -> keys.of(runner.key())).toList();
    return read(KeysAndAttributes.builder().keys(asked).consistentRead(true).build(), 1);
  }

  private CompletableFuture<Void> read(KeysAndAttributes asked, int tries) {
    BatchGetItemRequest request =
        BatchGetItemRequest.builder().requestItems(Map.of(table, asked)).build();
    return transport
        .send(Transport.BATCH_GET, request)
        .thenCompose(
            reply -> {
              give(asked, reply);
              KeysAndAttributes left = reply.unprocessedKeys().get(table);
              return left == null || left.keys().isEmpty() || tries == MOST_TRIES
                  ? CompletableFuture.<Void>completedFuture(null)
                  : transport
                      .pause(BACKOFF.computeDelay(tries))
                      .thenCompose(done -> read(left, tries + 1));
            });
  }

  /** The same for numbers that are equal, however they are spelled. */
  private static Map<String, AttributeValue> comparable(Map<String, AttributeValue> key) {
    Map<String, AttributeValue> comparable = new HashMap<>(key);
    comparable.replaceAll(
        (name, value) ->
            value.n() == null
                ? value
                : AttributeValue.fromN(new BigDecimal(value.n()).stripTrailingZeros().toString()));
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
