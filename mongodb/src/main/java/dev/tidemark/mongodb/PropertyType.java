package dev.tidemark.mongodb;

import java.lang.invoke.MethodType;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Collection;
import java.util.Date;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonType;
import org.jspecify.annotations.Nullable;

/** What may be stored for a property of some Java class. */
enum PropertyType {
  WHOLE("a whole number", EnumSet.of(BsonType.INT32, BsonType.INT64, BsonType.DECIMAL128)),
  NUMBER(
      "a number", EnumSet.of(BsonType.INT32, BsonType.INT64, BsonType.DOUBLE, BsonType.DECIMAL128)),
  STRING("a string", EnumSet.of(BsonType.STRING)),
  BOOLEAN("a boolean", EnumSet.of(BsonType.BOOLEAN)),
  BINARY("binary", EnumSet.of(BsonType.BINARY)),
  DATE("a date", EnumSet.of(BsonType.DATE_TIME)),
  ARRAY("an array", EnumSet.of(BsonType.ARRAY)),
  MAP("a document", EnumSet.of(BsonType.DOCUMENT)),
  OTHER("of its own type", EnumSet.allOf(BsonType.class));

  private static final Set<Class<?>> WHOLE_CLASSES =
      Set.of(
          int.class,
          long.class,
          short.class,
          byte.class,
          Integer.class,
          Long.class,
          Short.class,
          Byte.class);
  private static final Set<Class<?>> DATES =
      Set.of(Date.class, Instant.class, LocalDate.class, LocalDateTime.class, LocalTime.class);

  private final String shown;

  @SuppressWarnings("ImmutableEnumChecker") // never changed, never given away
  private final Set<BsonType> taken;

  PropertyType(String shown, Set<BsonType> taken) {
    this.shown = shown;
    this.taken = taken;
  }

  private static final Map<Class<?>, Long> HIGHEST =
      Map.of(
          Long.class, Long.MAX_VALUE,
          Integer.class, (long) Integer.MAX_VALUE,
          Short.class, (long) Short.MAX_VALUE,
          Byte.class, (long) Byte.MAX_VALUE);

  /** The highest of the whole numbers that a class holds; null for all other classes. */
  static @Nullable Long highest(Class<?> type) {
    return HIGHEST.get(MethodType.methodType(type).wrap().returnType());
  }

  static PropertyType of(Class<?> type) {
    if (WHOLE_CLASSES.contains(type)) {
      return WHOLE;
    }
    if (Number.class.isAssignableFrom(type) || type == double.class || type == float.class) {
      return NUMBER;
    }
    if (type == String.class || type.isEnum()) {
      return STRING;
    }
    if (type == boolean.class || type == Boolean.class) {
      return BOOLEAN;
    }
    if (type == byte[].class || type == UUID.class) {
      return BINARY;
    }
    if (DATES.contains(type)) {
      return DATE;
    }
    if (Collection.class.isAssignableFrom(type)) {
      return ARRAY;
    }
    return Map.class.isAssignableFrom(type) ? MAP : OTHER;
  }

  String shown() {
    return shown;
  }

  boolean takes(BsonType type) {
    return taken.contains(type);
  }

  boolean isWhole() {
    return this == WHOLE;
  }

  boolean isNumber() {
    return this == WHOLE || this == NUMBER;
  }

  boolean isDocument() {
    return this == MAP || this == OTHER;
  }
}
