package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecords;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * Records of executions in a DynamoDB table of their own. Its partition key is the string {@code
 * key}, which has scope and idempotency key together, so no scope is hot. Each write is one
 * conditional {@code PutItem}; a refused one brings the item. Safe for use by many threads.
 */
public final class DynamoDbExecutionRecords implements ExecutionRecords {
  static final String KEY = "key";
  static final String REVISION = "revision";
  static final String PENDING = "pending";
  static final String LEASE_END = "leaseEnd";
  static final String EXPIRES = "expires";
  private static final String INDEX = "stale";

  /** DynamoDB's 400 KB, less what names and numbers take. */
  private static final int MOST_BYTES = 380_000;

  private final DynamoDbClient client;
  private final String table;
  private final Clock clock;

  private DynamoDbExecutionRecords(DynamoDbClient client, String table, Clock clock) {
    this.client = Objects.requireNonNull(client, "client");
    this.table = Objects.requireNonNull(table, "table");
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /**
   * Records by the system's clock.
   *
   * @param client where the table is
   * @param table its name; {@link #createTable} says what it must look like
   * @return records
   */
  public static DynamoDbExecutionRecords of(DynamoDbClient client, String table) {
    return of(client, table, Clock.systemUTC());
  }

  /**
   * Records by a clock.
   *
   * @param client where the table is
   * @param table its name
   * @param clock tells leases and expiry
   * @return records
   */
  public static DynamoDbExecutionRecords of(DynamoDbClient client, String table, Clock clock) {
    return new DynamoDbExecutionRecords(client, table, clock);
  }

  /**
   * Creates the table, with its index of unfinished flows and of what waits for a person, and
   * on-demand capacity, and waits until it is there. Time to live is switched on for the attribute
   * {@code expires}.
   *
   * @param client where
   * @param table its name
   */
  public static void createTable(DynamoDbClient client, String table) {
    client.createTable(definition(table));
    client.waiter().waitUntilTableExists(r -> r.tableName(table));
    client.updateTimeToLive(
        r ->
            r.tableName(table)
                .timeToLiveSpecification(ttl -> ttl.attributeName(EXPIRES).enabled(true)));
  }

  private static CreateTableRequest definition(String table) {
    return CreateTableRequest.builder()
        .tableName(table)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(
            attribute(KEY, ScalarAttributeType.S),
            attribute(PENDING, ScalarAttributeType.S),
            attribute(LEASE_END, ScalarAttributeType.N))
        .keySchema(key(KEY, KeyType.HASH))
        .globalSecondaryIndexes(
            GlobalSecondaryIndex.builder()
                .indexName(INDEX)
                .keySchema(key(PENDING, KeyType.HASH), key(LEASE_END, KeyType.RANGE))
                .projection(p -> p.projectionType(ProjectionType.KEYS_ONLY))
                .build())
        .build();
  }

  private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
    return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  private static Map<String, AttributeValue> key(String key) {
    return Map.of(KEY, AttributeValue.fromS(key));
  }

  @Override
  public Answer write(String key, @Nullable String before, ExecutionRecord record) {
    PutItemRequest.Builder put =
        PutItemRequest.builder()
            .tableName(table)
            .item(ExecutionItems.item(key, record))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    if (before == null) {
      put.conditionExpression("attribute_not_exists(#key)")
          .expressionAttributeNames(Map.of("#key", KEY));
    } else {
      put.conditionExpression("#revision = :before")
          .expressionAttributeNames(Map.of("#revision", REVISION))
          .expressionAttributeValues(Map.of(":before", AttributeValue.fromS(before)));
    }
    return answer(key, () -> client.putItem(put.build()));
  }

  @Override
  public Answer remove(String key, String before) {
    DeleteItemRequest delete =
        DeleteItemRequest.builder()
            .tableName(table)
            .key(key(key))
            .conditionExpression("#revision = :before")
            .expressionAttributeNames(Map.of("#revision", REVISION))
            .expressionAttributeValues(Map.of(":before", AttributeValue.fromS(before)))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    return answer(key, () -> client.deleteItem(delete));
  }

  @Override
  public Answer removeUnreadable(String key) {
    Map<String, AttributeValue> item = item(key);
    if (item.isEmpty()) {
      return new Answer.Refused(null);
    }
    if (ExecutionItems.isReadable(item)) {
      return new Answer.Refused(ExecutionItems.record(item));
    }
    DeleteItemRequest.Builder delete =
        DeleteItemRequest.builder()
            .tableName(table)
            .key(key(key))
            .expressionAttributeNames(Map.of("#revision", REVISION))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    AttributeValue revision = item.get(REVISION);
    if (revision == null) {
      delete.conditionExpression("attribute_not_exists(#revision)");
    } else {
      delete
          .conditionExpression("#revision = :before")
          .expressionAttributeValues(Map.of(":before", revision));
    }
    return answer(key, () -> client.deleteItem(delete.build()));
  }

  private Answer answer(String key, Runnable write) {
    try {
      write.run();
      return new Answer.Written();
    } catch (RuntimeException e) {
      return switch (Errors.kind(e)) {
        case REFUSED -> new Answer.Refused(found(key, Errors.item(e, key(key))));
        case CONTENDED -> Errors.wereUncertain(e) ? new Answer.Lost(e) : new Answer.Busy(e);
        case UNCERTAIN -> new Answer.Lost(e);
        case ABANDONED ->
            throw new OutcomeUnknownException(
                "the wait for a write of an execution's record was given up", null, e);
        case FAULT -> {
          if (Errors.wereUncertain(e)) {
            yield new Answer.Lost(e);
          }
          throw e;
        }
      };
    }
  }

  /** What refused a write; without the item, which a proxy may leave out, a read tells. */
  private @Nullable ExecutionRecord found(String key, Map<String, AttributeValue> item) {
    return item.isEmpty() ? read(key).orElse(null) : ExecutionItems.record(item);
  }

  @Override
  public Optional<ExecutionRecord> read(String key) {
    Map<String, AttributeValue> item = item(key);
    return item.isEmpty() ? Optional.empty() : Optional.of(ExecutionItems.record(item));
  }

  private Map<String, AttributeValue> item(String key) {
    GetItemRequest get =
        GetItemRequest.builder().tableName(table).key(key(key)).consistentRead(true).build();
    return asked(() -> client.getItem(get)).item();
  }

  private static <A> A asked(Supplier<A> read) {
    try {
      return read.get();
    } catch (RuntimeException e) {
      throw Errors.kind(e) == Errors.Kind.CONTENDED
          ? new ContentionException(
              "throttling outlasted the tries of the client for a read of an execution's record",
              null,
              e)
          : e;
    }
  }

  @Override
  public List<String> stale(String flow, long now, int most) {
    List<String> keys = new ArrayList<>();
    int first = ThreadLocalRandom.current().nextInt(ExecutionItems.SHARDS);
    for (int i = 0; i < ExecutionItems.SHARDS && keys.size() < most; i++) {
      int shard = (first + i) % ExecutionItems.SHARDS;
      QueryRequest query =
          QueryRequest.builder()
              .tableName(table)
              .indexName(INDEX)
              .keyConditionExpression("#pending = :pending AND #end < :now")
              .expressionAttributeNames(Map.of("#pending", PENDING, "#end", LEASE_END))
              .expressionAttributeValues(
                  Map.of(
                      ":pending", AttributeValue.fromS(ExecutionItems.pending(flow, shard)),
                      ":now", ExecutionItems.number(now)))
              .limit(most - keys.size())
              .build();
      client.query(query).items().forEach(item -> keys.add(ExecutionItems.string(item, KEY)));
    }
    return keys;
  }

  @Override
  public List<String> parked(String prefix, int most) {
    List<String> keys = new ArrayList<>();
    for (int shard = 0; shard < ExecutionItems.SHARDS && keys.size() < most; shard++) {
      QueryRequest query =
          QueryRequest.builder()
              .tableName(table)
              .indexName(INDEX)
              .keyConditionExpression("#pending = :parked")
              .expressionAttributeNames(Map.of("#pending", PENDING))
              .expressionAttributeValues(
                  Map.of(":parked", AttributeValue.fromS(ExecutionItems.parked(shard))))
              .build();
      add(keys, client.queryPaginator(query).items(), prefix, most);
    }
    return keys;
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    ScanRequest scan =
        ScanRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .projectionExpression("#key")
            .expressionAttributeNames(Map.of("#key", KEY))
            .exclusiveStartKey(after == null ? null : Map.of(KEY, AttributeValue.fromS(after)))
            .build();
    List<String> keys = new ArrayList<>();
    add(keys, client.scanPaginator(scan).items(), prefix, most);
    return keys;
  }

  private static void add(
      List<String> keys, Iterable<Map<String, AttributeValue>> items, String prefix, int most) {
    Iterator<Map<String, AttributeValue>> all = items.iterator();
    while (keys.size() < most && all.hasNext()) {
      String key = ExecutionItems.string(all.next(), KEY);
      if (key.startsWith(prefix)) {
        keys.add(key);
      }
    }
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }
}
