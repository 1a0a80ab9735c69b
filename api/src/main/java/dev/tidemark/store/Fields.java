package dev.tidemark.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which fields every store takes, and gives back as they were; see {@link ConditionalWrite}. */
final class Fields {
  private static final Pattern NAME = Pattern.compile("[A-Za-z]{1,64}");

  private static final Map<String, Class<?>> KNOWN =
      Map.of(
          StoredRecord.REVISION, String.class,
          StoredRecord.PENDING, String.class,
          StoredRecord.LEASE_END, Long.class,
          StoredRecord.EXPIRES, Instant.class);

  /** By these names stores keep the order and the names of a map of maps. */
  private static final Set<String> TAKEN = Set.of("order", "name");

  private Fields() {}

  static Map<String, Object> checked(Map<String, Object> fields) {
    Map<String, Object> copy = new LinkedHashMap<>();
    fields.forEach((name, value) -> copy.put(name, field(name, value)));
    if (!copy.containsKey(StoredRecord.REVISION)) {
      throw new IllegalArgumentException("a record must have a revision");
    }
    return Collections.unmodifiableMap(copy);
  }

  private static Object field(String name, @Nullable Object value) {
    require(!name.equals("key"), "field 'key' is the record's key", value);
    Class<?> type = KNOWN.get(name);
    if (type != null) {
      require(type.isInstance(value), "field '" + name + "' is a " + type.getSimpleName(), value);
    }
    if (value instanceof Instant time) {
      require(type != null, "a time is in 'expires' alone, not in '" + name + "'", value);
      require(time.equals(time.truncatedTo(ChronoUnit.SECONDS)), "a time has whole seconds", value);
      requireName(name);
      return time;
    }
    return value instanceof Map<?, ?> map && isOfMaps(map)
        ? maps(name, map)
        : value instanceof Map<?, ?> values ? values(name, values) : named(name, value);
  }

  private static boolean isOfMaps(Map<?, ?> map) {
    return map.values().stream().anyMatch(Map.class::isInstance);
  }

  private static Map<String, Object> maps(String name, Map<?, ?> maps) {
    requireName(name);
    Map<String, Object> copy = new LinkedHashMap<>();
    maps.forEach(
        (key, value) -> {
          require(key instanceof String text && !text.isEmpty(), "a key is a text", key);
          require(value instanceof Map<?, ?>, "field '" + name + "' has maps alone", value);
          Map<?, ?> inner = (Map<?, ?>) value;
          require(
              Collections.disjoint(inner.keySet(), TAKEN), "no inner map has any of " + TAKEN, key);
          copy.put((String) key, values(name, inner));
        });
    return Collections.unmodifiableMap(copy);
  }

  private static Map<String, Object> values(String name, Map<?, ?> values) {
    requireName(name);
    Map<String, Object> copy = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> copy.put(String.valueOf(key), named(String.valueOf(key), value)));
    return Collections.unmodifiableMap(copy);
  }

  private static Object named(String name, @Nullable Object value) {
    requireName(name);
    if (value instanceof String || value instanceof Long || value instanceof Boolean) {
      return value;
    }
    throw refusal("field '" + name + "' is a text, a whole number, a boolean or a map", value);
  }

  private static void requireName(String name) {
    require(NAME.matcher(name).matches(), "a name of a field has letters alone", name);
  }

  private static void require(boolean fits, String rule, @Nullable Object found) {
    if (!fits) {
      throw refusal(rule, found);
    }
  }

  private static IllegalArgumentException refusal(String rule, @Nullable Object found) {
    String type = found == null ? "null" : found.getClass().getSimpleName();
    return new IllegalArgumentException(rule + ", was given a " + type);
  }
}
