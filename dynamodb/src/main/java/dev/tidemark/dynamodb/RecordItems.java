package dev.tidemark.dynamodb;

import static dev.tidemark.store.StoredRecord.EXPIRES;
import static dev.tidemark.store.StoredRecord.PENDING;
import static dev.tidemark.store.StoredRecord.REVISION;

import dev.tidemark.store.StoredRecord;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Plain records as items. A time is a number of seconds, for the time to live; a partition of the
 * index has a shard before it; a map of maps keeps its order in its inner maps.
 */
final class RecordItems {
  static final String KEY = "key";

  /** Parts of the index, over which the records of a partition are spread. */
  static final int SHARDS = 8;

  private static final String ORDER = "order";

  private static final Pattern SHARDED = Pattern.compile("[0-7](/|(?=!)).*", Pattern.DOTALL);

  private RecordItems() {}

  static Map<String, AttributeValue> key(String key) {
    return Map.of(KEY, AttributeValue.fromS(key));
  }

  static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }

  /** What the index has for a partition in one of its shards. */
  static AttributeValue pending(String partition, int shard) {
    return AttributeValue.fromS(shard + (partition.startsWith("!") ? "" : "/") + partition);
  }

  static Map<String, AttributeValue> item(String key, Map<String, Object> fields) {
    Map<String, AttributeValue> item = new HashMap<>();
    fields.forEach((name, value) -> item.put(name, attribute(value)));
    if (fields.get(PENDING) instanceof String partition) {
      item.put(PENDING, pending(partition, Math.floorMod(key.hashCode(), SHARDS)));
    }
    item.putAll(key(key));
    return item;
  }

  /** A value as it is stored; what was of no known type when it was read is what it was. */
  static AttributeValue attribute(Object value) {
    if (value instanceof AttributeValue foreign) {
      return foreign;
    }
    if (value instanceof Map<?, ?> map) {
      return AttributeValue.fromM(attributes(map));
    }
    if (value instanceof Instant time) {
      return number(time.getEpochSecond());
    }
    if (value instanceof Long number) {
      return number(number);
    }
    return value instanceof Boolean flag
        ? AttributeValue.fromBool(flag)
        : AttributeValue.fromS((String) value);
  }

  private static Map<String, AttributeValue> attributes(Map<?, ?> map) {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    map.forEach(
        (name, value) -> {
          AttributeValue one = attribute(value);
          attributes.put(
              (String) name, value instanceof Map ? ordered(one, attributes.size()) : one);
        });
    return attributes;
  }

  private static AttributeValue ordered(AttributeValue values, int order) {
    Map<String, AttributeValue> all = new HashMap<>(values.m());
    all.put(ORDER, number(order));
    return AttributeValue.fromM(all);
  }

  static StoredRecord record(Map<String, AttributeValue> item) {
    Map<String, Object> fields = fields(item);
    AttributeValue revision = item.get(REVISION);
    if (revision != null && revision.s() == null && revision.type() != AttributeValue.Type.NUL) {
      fields.put(REVISION, revision); // as it is, for a guard to name
    }
    AttributeValue expires = item.get(EXPIRES);
    if (expires != null && fields.get(EXPIRES) instanceof Long seconds) {
      fields.put(EXPIRES, time(expires, seconds));
    }
    if (fields.get(PENDING) instanceof String text && SHARDED.matcher(text).matches()) {
      fields.put(PENDING, text.substring(text.charAt(1) == '/' ? 2 : 1));
    }
    fields.remove(KEY);
    return new StoredRecord(text(item, KEY), fields);
  }

  static String text(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null || value.s() == null ? "" : value.s();
  }

  private static Object time(AttributeValue stored, long seconds) {
    try {
      return Instant.ofEpochSecond(seconds);
    } catch (DateTimeException e) {
      return stored;
    }
  }

  /** Fields of a record; a null is none. */
  private static Map<String, Object> fields(Map<String, AttributeValue> item) {
    Map<String, Object> fields = new LinkedHashMap<>();
    item.forEach(
        (name, stored) -> {
          Object value = value(stored);
          if (value != null) {
            fields.put(name, value);
          }
        });
    return fields;
  }

  private static @Nullable Object value(AttributeValue stored) {
    return switch (stored.type()) {
      case S -> stored.s();
      case N -> number(stored);
      case BOOL -> stored.bool();
      case M -> map(stored.m());
      case NUL -> null;
      default -> stored;
    };
  }

  private static Object number(AttributeValue stored) {
    try {
      return Long.valueOf(stored.n());
    } catch (NumberFormatException e) {
      return stored;
    }
  }

  /** In the order that any of its maps has; a null stays, since it may stand for a map. */
  private static Map<String, @Nullable Object> map(Map<String, AttributeValue> stored) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    stored.entrySet().stream()
        .sorted(Comparator.comparingLong(one -> order(one.getValue())))
        .forEach(one -> map.put(one.getKey(), inner(one.getValue())));
    return map;
  }

  private static @Nullable Object inner(AttributeValue stored) {
    Object value = value(stored);
    if (value instanceof Map<?, ?> values) {
      values.remove(ORDER);
    }
    return value;
  }

  private static long order(AttributeValue values) {
    AttributeValue order = values.m().get(ORDER);
    return order != null && order.n() != null && number(order) instanceof Long place ? place : 0;
  }
}
