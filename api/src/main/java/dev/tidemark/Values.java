package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks of the values that changes and conditions carry, before any store sees them. */
final class Values {
  private Values() {}

  static Object scalar(Path path, @Nullable Object value) {
    Object checked = any(path, value);
    if (checked instanceof Collection || checked instanceof Map) {
      throw new IllegalArgumentException(
          "attribute '" + path + "' is compared with a scalar, not with a collection");
    }
    return checked;
  }

  static Object any(Path path, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException(
          "value of attribute '" + path + "' must not be null; use remove() or isMissing()");
    }
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer();
    }
    if (value instanceof String text) {
      return Text.wellFormed(() -> "value of attribute '" + path + "'", text);
    }
    boolean binary = value instanceof Double || value instanceof Float;
    if (binary && !Double.isFinite(((Number) value).doubleValue())) {
      throw new IllegalArgumentException("value of attribute '" + path + "' must be finite");
    }
    if (value instanceof Collection<?> elements) {
      elements.forEach(element -> boundedInside(path, element));
    } else if (value instanceof Map<?, ?> members) {
      members.values().forEach(member -> boundedInside(path, member));
    }
    return bounded(path, value);
  }

  /** The value, unless it is a number of more digits than any store holds. */
  static Object bounded(Path path, Object value) {
    return value instanceof Number number
        ? Numbers.bounded(() -> "value of attribute '" + path + "'", number)
        : value;
  }

  /** The numbers inside a collection, whose other values are the store's to check. */
  private static void boundedInside(Path path, @Nullable Object value) {
    if (value instanceof Number || value instanceof Collection || value instanceof Map) {
      Object unused = any(path, value);
    }
  }

  static Number number(Path path, @Nullable Number value) {
    return (Number) any(path, value);
  }

  /** The same for numbers that are equal, of whatever class. */
  static Object comparable(Object value) {
    boolean usual =
        value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte
            || value instanceof Double
            || value instanceof Float
            || value instanceof BigInteger
            || value instanceof BigDecimal;
    return usual ? new BigDecimal(value.toString()).stripTrailingZeros() : value;
  }
}
