package dev.tidemark.dynamodb;

import static dev.tidemark.dynamodb.DynamoDbExecutionRecords.EXPIRES;
import static dev.tidemark.dynamodb.DynamoDbExecutionRecords.KEY;
import static dev.tidemark.dynamodb.DynamoDbExecutionRecords.LEASE_END;
import static dev.tidemark.dynamodb.DynamoDbExecutionRecords.PENDING;
import static dev.tidemark.dynamodb.DynamoDbExecutionRecords.REVISION;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.kernel.Faults;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Records of executions as items. */
final class ExecutionItems {
  /** Parts of the index, over which its entries are spread. */
  static final int SHARDS = 8;

  private ExecutionItems() {}

  /** Where the index has an unfinished execution of a flow; a flow's name starts with a slash. */
  static String pending(String flow, int shard) {
    return shard + "/" + flow;
  }

  /** Where the index has what waits for a person. */
  static String parked(int shard) {
    return shard + "!parked";
  }

  static Map<String, AttributeValue> item(String key, ExecutionRecord record) {
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
    int shard = Math.floorMod(key.hashCode(), SHARDS);
    if (record.state() == State.PARKED) {
      item.put(PENDING, AttributeValue.fromS(parked(shard)));
    }
    if (!record.flow().isEmpty()) {
      item.put("flow", AttributeValue.fromS(record.flow()));
      if (record.isOpen()) {
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

  static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  /** Whether it can be read, and has a revision by which it can be written over. */
  static boolean isReadable(Map<String, AttributeValue> item) {
    try {
      return !record(item).revision().isEmpty();
    } catch (CorruptRecordException e) {
      return false;
    }
  }

  static ExecutionRecord record(Map<String, AttributeValue> item) {
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
          "'state' of an execution is no state", null, Faults.silent(e));
    }
  }

  private static Map<String, AttributeValue> map(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? Map.of() : value.m();
  }

  static String string(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null || value.s() == null ? "" : value.s();
  }

  private static long number(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    try {
      return value == null || value.n() == null ? 0 : Long.parseLong(value.n());
    } catch (NumberFormatException e) {
      throw new CorruptRecordException(
          "'" + name + "' of an execution is no whole number", null, Faults.silent(e));
    }
  }
}
