package dev.tidemark.dynamodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Reads records that keep outgoing messages: their keys by the index, and the records consistently,
 * without the entities' own attributes.
 *
 * @param pause waits before keys that were not processed are asked for again
 */
record OutboxReads(
    DynamoDbClient client, String table, OutboxItems items, Consumer<Duration> pause) {
  /** What BatchGetItem takes. */
  private static final int MOST_KEYS = 100;

  private static final int MOST_TRIES = 5;
  private static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(20), Duration.ofSeconds(1));

  /** The record of a key; null if it keeps no messages. */
  @Nullable OutboxRecord read(Map<String, AttributeValue> key) {
    Map<String, String> aliases = aliases(key);
    GetItemRequest get =
        GetItemRequest.builder()
            .tableName(table)
            .key(key)
            .consistentRead(true)
            .projectionExpression(String.join(", ", aliases.keySet()))
            .expressionAttributeNames(aliases)
            .build();
    OutboxRecord record = items.record(key, client.getItem(get).item());
    return record.isEmpty() ? null : record;
  }

  private Map<String, String> aliases(Map<String, AttributeValue> key) {
    Map<String, String> aliases = new LinkedHashMap<>();
    items.attributes().forEach(name -> aliases.put("#a" + aliases.size(), name));
    key.keySet().forEach(name -> aliases.put("#a" + aliases.size(), name));
    return aliases;
  }

  /**
   * Finds records by the index, page after page until there are enough: an index that lags has keys
   * of others. What cannot be read is left out and counted.
   *
   * @param shard the partition of the index
   * @param from the earliest time at which a record is due
   * @param until the latest time
   * @param which records are looked for
   * @param most how many
   * @param size about how much memory they may take
   */
  Look find(long shard, long from, long until, Predicate<OutboxRecord> which, int most, long size) {
    long known = Outbox.shard(shard);
    Found found = new Found(one -> one.shard() == known && which.test(one), size);
    Map<String, AttributeValue> last = null;
    do {
      QueryResponse page = client.query(query(shard, from, until, most, last));
      List<Map<String, AttributeValue>> keys = page.items().stream().map(this::key).toList();
      readAll(keys, found);
      last = page.hasLastEvaluatedKey() ? page.lastEvaluatedKey() : null;
    } while (last != null && found.records.size() < most && !found.isFull());
    return found.first(most, last != null);
  }

  /** The records of keys, nothing for those that keep no messages, and those that are corrupt. */
  List<OutboxRecord> readAll(List<OutboxKey> keys, long size) {
    Found found = new Found(record -> true, size);
    readAll(keys.stream().map(OutboxKey::attributes).toList(), found);
    if (!found.isCut) {
      keys.forEach(key -> found.records.putIfAbsent(key, OutboxRecord.nothing(key)));
    }
    return List.copyOf(found.records.values());
  }

  private void readAll(List<Map<String, AttributeValue>> keys, Found found) {
    for (int first = 0; first < keys.size(); first += MOST_KEYS) {
      if (found.isFull()) {
        found.isCut = true;
        return;
      }
      read(keys.subList(first, Math.min(keys.size(), first + MOST_KEYS)), found);
    }
  }

  private QueryRequest query(
      long shard, long from, long until, int most, @Nullable Map<String, AttributeValue> last) {
    return QueryRequest.builder()
        .tableName(table)
        .indexName(OutboxIndex.NAME)
        .keyConditionExpression("#shard = :shard AND #due BETWEEN :from AND :until")
        .expressionAttributeNames(
            Map.of("#shard", items.names().outboxShard(), "#due", items.names().outboxDue()))
        .expressionAttributeValues(
            Map.of(
                ":shard", Values.toNative(shard),
                ":from", Values.toNative(from),
                ":until", Values.toNative(until)))
        .limit(most)
        .exclusiveStartKey(last)
        .build();
  }

  /** An entry of the index has two keys: its own is taken off. */
  private Map<String, AttributeValue> key(Map<String, AttributeValue> entry) {
    Map<String, AttributeValue> key = new HashMap<>(entry);
    key.remove(items.names().outboxShard());
    key.remove(items.names().outboxDue());
    return key;
  }

  private void read(List<Map<String, AttributeValue>> keys, Found found) {
    Map<String, String> aliases = aliases(keys.get(0));
    KeysAndAttributes asked =
        KeysAndAttributes.builder()
            .keys(keys)
            .consistentRead(true)
            .projectionExpression(String.join(", ", aliases.keySet()))
            .expressionAttributeNames(aliases)
            .build();
    for (int tries = 1; asked != null && tries <= MOST_TRIES; tries++) {
      if (tries > 1) {
        pause.accept(BACKOFF.computeDelay(tries - 1));
      }
      BatchGetItemResponse reply =
          client.batchGetItem(
              BatchGetItemRequest.builder().requestItems(Map.of(table, asked)).build());
      reply.responses().getOrDefault(table, List.of()).forEach(item -> found.add(keys, item));
      asked = reply.unprocessedKeys().get(table);
      asked = asked == null || asked.keys().isEmpty() ? null : asked;
      if (found.isFull()) {
        break;
      }
    }
    found.isCut |= asked != null;
  }

  /** The records that were found so far, each once. */
  private final class Found {
    private final Predicate<OutboxRecord> which;
    private final Map<Object, OutboxRecord> records = new LinkedHashMap<>();
    private final long size;
    private long taken;

    /** Whether there were keys that were not read any more. */
    private boolean isCut;

    private int unreadable;
    private @Nullable CorruptRecordException corrupt;

    Found(Predicate<OutboxRecord> which, long size) {
      this.which = which;
      this.size = size;
    }

    boolean isFull() {
      return taken >= size;
    }

    void add(List<Map<String, AttributeValue>> keys, Map<String, AttributeValue> item) {
      Map<String, AttributeValue> key = new HashMap<>(item);
      key.keySet().retainAll(keys.get(0).keySet());
      try {
        OutboxRecord record = items.record(key, item);
        if (which.test(record)) {
          taken += records.put(record.key(), record) == null ? record.size() : 0;
        }
      } catch (CorruptRecordException e) {
        unreadable++;
        corrupt = e;
      }
    }

    Look first(int most, boolean hasMore) {
      List<OutboxRecord> all = new ArrayList<>(records.values());
      all.sort((one, other) -> Long.compare(one.due(), other.due()));
      boolean goesOn = isCut || (hasMore && all.size() < most);
      List<OutboxRecord> some = all.subList(0, Math.min(most, all.size()));
      return new Look(some, unreadable, 0, goesOn, corrupt);
    }
  }
}
