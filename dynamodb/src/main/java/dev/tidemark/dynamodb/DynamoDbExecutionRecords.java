package dev.tidemark.dynamodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.ExecutionRecords;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
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

/**
 * Records of executions in a DynamoDB table of their own. Its partition key is the string {@code
 * key}, which has scope and idempotency key together, so no scope is hot. Each write is one
 * conditional {@code PutItem}; a refused one brings the item. Safe for use by many threads.
 */
public final class DynamoDbExecutionRecords implements ExecutionRecords {
  private static final String KEY = "key";
  private static final String REVISION = "revision";
  private static final String PENDING = "pending";
  private static final String LEASE_END = "leaseEnd";
  private static final String EXPIRES = "expires";
  private static final String INDEX = "stale";
  private static final int SHARDS = 8;

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
   * Creates the table, with its index of unfinished flows and on-demand capacity, and waits until
   * it is there. Time to live is switched on for the attribute {@code expires}.
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
  public Answer write(String key, @Nullable String before, ExecutionRecord record) {
    PutItemRequest.Builder put =
        PutItemRequest.builder()
            .tableName(table)
            .item(item(key, record))
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
            .key(Map.of(KEY, AttributeValue.fromS(key)))
            .conditionExpression("#revision = :before")
            .expressionAttributeNames(Map.of("#revision", REVISION))
            .expressionAttributeValues(Map.of(":before", AttributeValue.fromS(before)))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    return answer(key, () -> client.deleteItem(delete));
  }

  private Answer answer(String key, Runnable write) {
    try {
      write.run();
      return new Answer.Written();
    } catch (RuntimeException e) {
      return switch (Errors.kind(e)) {
        case REFUSED -> new Answer.Refused(found(key, Errors.item(e)));
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
    return item.isEmpty() ? read(key).orElse(null) : record(item);
  }

  @Override
  public Optional<ExecutionRecord> read(String key) {
    GetItemRequest get =
        GetItemRequest.builder()
            .tableName(table)
            .key(Map.of(KEY, AttributeValue.fromS(key)))
            .consistentRead(true)
            .build();
    Map<String, AttributeValue> item = client.getItem(get).item();
    return item.isEmpty() ? Optional.empty() : Optional.of(record(item));
  }

  @Override
  public List<String> stale(String flow, long now, int most) {
    List<String> keys = new ArrayList<>();
    int first = ThreadLocalRandom.current().nextInt(SHARDS);
    for (int i = 0; i < SHARDS && keys.size() < most; i++) {
      int shard = (first + i) % SHARDS;
      QueryRequest query =
          QueryRequest.builder()
              .tableName(table)
              .indexName(INDEX)
              .keyConditionExpression("#pending = :pending AND #end < :now")
              .expressionAttributeNames(Map.of("#pending", PENDING, "#end", LEASE_END))
              .expressionAttributeValues(
                  Map.of(
                      ":pending", AttributeValue.fromS(pending(flow, shard)),
                      ":now", number(now)))
              .limit(most - keys.size())
              .build();
      client.query(query).items().forEach(item -> keys.add(string(item, KEY)));
    }
    return keys;
  }

  private static String pending(String flow, int shard) {
    return shard + "/" + flow;
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }

  private static Map<String, AttributeValue> item(String key, ExecutionRecord record) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(KEY, AttributeValue.fromS(key));
    item.put(REVISION, AttributeValue.fromS(record.revision()));
    item.put("state", AttributeValue.fromS(record.state().name()));
    item.put("owner", AttributeValue.fromS(record.owner()));
    item.put("fence", number(record.fence()));
    item.put("leaseMillis", number(record.leaseMillis()));
    item.put(LEASE_END, number(record.leaseEnd()));
    item.put(EXPIRES, number(record.expires()));
    item.put("fingerprint", AttributeValue.fromS(record.fingerprint()));
    if (!record.flow().isEmpty()) {
      item.put("flow", AttributeValue.fromS(record.flow()));
      if (record.isOpen()) {
        int shard = Math.floorMod(key.hashCode(), SHARDS);
        item.put(PENDING, AttributeValue.fromS(pending(record.flow(), shard)));
      }
    }
    String request = record.request();
    if (request != null) {
      item.put("request", AttributeValue.fromS(request));
    }
    if (!record.points().isEmpty()) {
      Map<String, AttributeValue> points = new LinkedHashMap<>();
      record.points().forEach((name, point) -> points.put(name, point(point, points.size())));
      item.put("points", AttributeValue.fromM(points));
    }
    Stored result = record.result();
    if (result != null) {
      item.put("result", AttributeValue.fromM(stored(result)));
    }
    return item;
  }

  private static AttributeValue point(Point point, int order) {
    Map<String, AttributeValue> parts = new HashMap<>();
    parts.put("done", AttributeValue.fromBool(point.done()));
    parts.put("order", number(order));
    Stored value = point.value();
    if (value != null) {
      parts.putAll(stored(value));
    }
    return AttributeValue.fromM(parts);
  }

  private static Map<String, AttributeValue> stored(Stored value) {
    String json = value.json();
    return json == null
        ? Map.of("type", AttributeValue.fromS(value.type()))
        : Map.of("type", AttributeValue.fromS(value.type()), "json", AttributeValue.fromS(json));
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  private static ExecutionRecord record(Map<String, AttributeValue> item) {
    Map<String, Point> points = new LinkedHashMap<>();
    Map<String, AttributeValue> stored = map(item, "points");
    stored.entrySet().stream()
        .sorted(
            Map.Entry.comparingByValue(
                (one, other) -> Long.compare(number(one.m(), "order"), number(other.m(), "order"))))
        .forEach(point -> points.put(point.getKey(), point(point.getValue().m())));
    AttributeValue request = item.get("request");
    return new ExecutionRecord(
        string(item, REVISION),
        state(string(item, "state")),
        string(item, "owner"),
        number(item, "fence"),
        number(item, "leaseMillis"),
        number(item, LEASE_END),
        number(item, EXPIRES),
        string(item, "fingerprint"),
        string(item, "flow"),
        request == null ? null : request.s(),
        points,
        value(map(item, "result")));
  }

  private static Point point(Map<String, AttributeValue> parts) {
    AttributeValue done = parts.get("done");
    return new Point(done != null && Boolean.TRUE.equals(done.bool()), value(parts));
  }

  private static @Nullable Stored value(Map<String, AttributeValue> parts) {
    AttributeValue json = parts.get("json");
    return parts.containsKey("type")
        ? new Stored(string(parts, "type"), json == null ? null : json.s())
        : null;
  }

  private static State state(String name) {
    try {
      return State.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException(
          "'state' of an execution is no state", null, dev.tidemark.kernel.Faults.silent(e));
    }
  }

  private static Map<String, AttributeValue> map(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? Map.of() : value.m();
  }

  private static String string(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null || value.s() == null ? "" : value.s();
  }

  private static long number(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    try {
      return value == null || value.n() == null ? 0 : Long.parseLong(value.n());
    } catch (NumberFormatException e) {
      throw new CorruptRecordException(
          "'" + name + "' of an execution is no whole number",
          null,
          dev.tidemark.kernel.Faults.silent(e));
    }
  }
}
