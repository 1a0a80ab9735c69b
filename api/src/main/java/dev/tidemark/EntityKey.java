package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The key of one entity: DynamoDB's partition key, alone or with a sort key; MongoDB's {@code _id},
 * scalar or compound. Strings, numbers and bytes mean the same on every store; other values (an
 * {@code ObjectId}, a {@code UUID}) are for the store that knows them.
 *
 * @param parts one or two values; whole numbers as {@code Long} where they fit, other numbers as
 *     {@code BigDecimal}, bytes as a read-only {@code ByteBuffer}
 * @param routing further fields that route the write, by name: MongoDB's shard key
 */
public record EntityKey(List<Object> parts, Map<String, Object> routing) {
  /**
   * Copies the parts.
   *
   * @param parts one or two values; whole numbers as {@code Long} where they fit, other numbers as
   *     {@code BigDecimal}, bytes as a read-only {@code ByteBuffer}
   * @param routing further fields that route the write, by name: MongoDB's shard key
   */
  public EntityKey {
    parts = List.copyOf(parts);
    parts.forEach(part -> bounded("key", part));
    routing.forEach((field, value) -> bounded("routing field '" + field + "'", value));
    routing =
        routing.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(routing));
  }

  /**
   * The key of one value.
   *
   * @param value a string, number, {@code byte[]}, or what the store takes as a key
   * @return the key
   */
  public static EntityKey key(Object value) {
    return new EntityKey(List.of(normal("key", value)), Map.of());
  }

  /**
   * The key of two values: partition and sort key, or a compound {@code _id} of two fields.
   *
   * @param partition the first value
   * @param sort the second value
   * @return the key
   */
  public static EntityKey key(Object partition, Object sort) {
    return new EntityKey(List.of(normal("key", partition), normal("key", sort)), Map.of());
  }

  /**
   * The same key with a field of MongoDB's shard key, where the collection is not sharded by {@code
   * _id}.
   *
   * @param field the field's name
   * @param value its value in this entity
   * @return the key
   */
  public EntityKey routedBy(String field, Object value) {
    Map<String, Object> fields = new LinkedHashMap<>(routing);
    fields.put(
        Text.notEmpty("routing field", field), normal("routing field '" + field + "'", value));
    return new EntityKey(parts, fields);
  }

  private static Object normal(String field, Object value) {
    Text.given(field, value);
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer();
    }
    if (value instanceof String text) {
      return Text.wellFormed(field, text);
    }
    if (Numbers.isBinary(value)) {
      throw new IllegalArgumentException(
          field + " must not be a floating-point number; use BigDecimal or a whole number");
    }
    if (value instanceof Map || value instanceof java.util.Collection) {
      throw new IllegalArgumentException(field + " must be a scalar, was a collection");
    }
    return value instanceof Number number ? exact(field, number) : Copies.of(value);
  }

  private static void bounded(String field, Object value) {
    if (value instanceof Number number) {
      Number unused = Numbers.bounded(() -> field, number);
    }
  }

  private static Object exact(String field, Number number) {
    bounded(field, number);
    BigDecimal exact = Numbers.exact(field, number);
    BigDecimal plain = exact.signum() == 0 ? BigDecimal.ZERO : exact.stripTrailingZeros();
    boolean fits = plain.scale() <= 0 && plain.toBigInteger().bitLength() < Long.SIZE;
    return fits ? (Object) plain.longValueExact() : plain;
  }

  /** Tells the number of values, never the values: keys may be personal data. */
  @Override
  public String toString() {
    return "Key[" + parts.size() + (parts.size() == 1 ? " value]" : " values]");
  }
}
