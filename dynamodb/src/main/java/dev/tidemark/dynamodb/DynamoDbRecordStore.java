package dev.tidemark.dynamodb;

import static dev.tidemark.dynamodb.RecordItems.KEY;
import static dev.tidemark.dynamodb.RecordItems.SHARDS;
import static dev.tidemark.store.StoredRecord.EXPIRES;
import static dev.tidemark.store.StoredRecord.LEASE_END;
import static dev.tidemark.store.StoredRecord.PENDING;
import static dev.tidemark.store.StoredRecord.REVISION;

import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.Guard;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
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
 * Plain records in a DynamoDB table of their own: of executions, leases of relays, and what
 * clusters note. Its partition key is the string {@code key}, which has scope and idempotency key
 * together, so no scope is hot. Each write is one conditional {@code PutItem} or {@code
 * DeleteItem}; a refused one brings the item. Safe for use by many threads.
 */
public final class DynamoDbRecordStore implements RecordStore {
  private static final String INDEX = "stale";

  /** DynamoDB's 400 KB, less what names and numbers take. */
  private static final int MOST_BYTES = 380_000;

  private final DynamoDbClient client;
  private final String table;
  private final Clock clock;

  private DynamoDbRecordStore(DynamoDbClient client, String table, Clock clock) {
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
  public static DynamoDbRecordStore of(DynamoDbClient client, String table) {
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
  public static DynamoDbRecordStore of(DynamoDbClient client, String table, Clock clock) {
    return new DynamoDbRecordStore(client, table, clock);
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

  @Override
  public Answer<StoredRecord> write(ConditionalWrite write) {
    Condition condition = condition(write.guard());
    Map<String, Object> fields = write.fields();
    if (fields == null) {
      DeleteItemRequest delete =
          DeleteItemRequest.builder()
              .tableName(table)
              .key(RecordItems.key(write.key()))
              .conditionExpression(condition.expression)
              .expressionAttributeNames(condition.names)
              .expressionAttributeValues(condition.values)
              .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
              .build();
      return answer(write.key(), () -> client.deleteItem(delete));
    }
    PutItemRequest put =
        PutItemRequest.builder()
            .tableName(table)
            .item(RecordItems.item(write.key(), fields))
            .conditionExpression(condition.expression)
            .expressionAttributeNames(condition.names)
            .expressionAttributeValues(condition.values)
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    return answer(write.key(), () -> client.putItem(put));
  }

  /** A guard as an expression; the values are null where it has none. */
  private record Condition(
      String expression, Map<String, String> names, @Nullable Map<String, AttributeValue> values) {}

  private static Condition condition(Guard guard) {
    if (!(guard instanceof Guard.Unchanged unchanged)) {
      return new Condition("attribute_not_exists(#key)", Map.of("#key", KEY), null);
    }
    Object revision = unchanged.revision();
    return revision == null
        ? new Condition(
            "attribute_exists(#key)"
                + " AND (attribute_not_exists(#revision) OR attribute_type(#revision, :null))",
            Map.of("#key", KEY, "#revision", REVISION),
            Map.of(":null", AttributeValue.fromS("NULL")))
        : new Condition(
            "#revision = :before",
            Map.of("#revision", REVISION),
            Map.of(":before", RecordItems.attribute(revision)));
  }

  private Answer<StoredRecord> answer(String key, Runnable write) {
    try {
      write.run();
      return new Answer.Written<>();
    } catch (RuntimeException e) {
      return switch (Errors.kind(e)) {
        case REFUSED -> new Answer.Refused<>(found(key, Errors.item(e, RecordItems.key(key))));
        case CONTENDED -> Errors.wereUncertain(e) ? new Answer.Lost<>(e) : new Answer.Busy<>(e);
        case UNCERTAIN -> new Answer.Lost<>(e);
        case ABANDONED ->
            throw new OutcomeUnknownException(
                "the wait for a write of a record was given up", null, e);
        case FAULT -> {
          if (Errors.wereUncertain(e)) {
            yield new Answer.Lost<>(e);
          }
          throw e;
        }
      };
    }
  }

  /** What refused a write; without the item, which a proxy may leave out, a read tells. */
  private @Nullable StoredRecord found(String key, Map<String, AttributeValue> item) {
    return item.isEmpty() ? read(key).orElse(null) : RecordItems.record(item);
  }

  @Override
  public Optional<StoredRecord> read(String key) {
    GetItemRequest get =
        GetItemRequest.builder()
            .tableName(table)
            .key(RecordItems.key(key))
            .consistentRead(true)
            .build();
    Map<String, AttributeValue> item = asked(() -> client.getItem(get)).item();
    return item.isEmpty() ? Optional.empty() : Optional.of(RecordItems.record(item));
  }

  private static <A> A asked(Supplier<A> read) {
    try {
      return read.get();
    } catch (RuntimeException e) {
      throw Errors.kind(e) == Errors.Kind.CONTENDED
          ? new ContentionException(
              "throttling outlasted the tries of the client for a read of records", null, e)
          : e;
    }
  }

  @Override
  public List<String> due(String partition, long from, long before, int most) {
    List<String> keys = new ArrayList<>();
    if (from >= before) { // a range that queries refuse
      return keys;
    }
    int first = ThreadLocalRandom.current().nextInt(SHARDS);
    for (int i = 0; i < SHARDS && keys.size() < most; i++) {
      int shard = (first + i) % SHARDS;
      QueryRequest query =
          QueryRequest.builder()
              .tableName(table)
              .indexName(INDEX)
              .keyConditionExpression("#pending = :pending AND #end BETWEEN :from AND :last")
              .expressionAttributeNames(Map.of("#pending", PENDING, "#end", LEASE_END))
              .expressionAttributeValues(
                  Map.of(
                      ":pending", RecordItems.pending(partition, shard),
                      ":from", RecordItems.number(from),
                      ":last", RecordItems.number(before - 1)))
              .limit(most - keys.size())
              .build();
      asked(() -> client.query(query))
          .items()
          .forEach(item -> keys.add(RecordItems.text(item, KEY)));
    }
    return keys;
  }

  @Override
  public List<String> pending(String partition, String prefix, int most) {
    List<String> keys = new ArrayList<>();
    for (int shard = 0; shard < SHARDS && keys.size() < most; shard++) {
      QueryRequest query =
          QueryRequest.builder()
              .tableName(table)
              .indexName(INDEX)
              .keyConditionExpression("#pending = :pending")
              .expressionAttributeNames(Map.of("#pending", PENDING))
              .expressionAttributeValues(Map.of(":pending", RecordItems.pending(partition, shard)))
              .build();
      asked(() -> add(keys, client.queryPaginator(query).items(), prefix, most));
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
    return asked(() -> add(keys, client.scanPaginator(scan).items(), prefix, most));
  }

  private static List<String> add(
      List<String> keys, Iterable<Map<String, AttributeValue>> items, String prefix, int most) {
    Iterator<Map<String, AttributeValue>> all = items.iterator();
    while (keys.size() < most && all.hasNext()) {
      String key = RecordItems.text(all.next(), KEY);
      if (key.startsWith(prefix)) {
        keys.add(key);
      }
    }
    return keys;
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
