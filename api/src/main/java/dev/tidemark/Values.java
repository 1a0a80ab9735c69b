package dev.tidemark;

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
    boolean finite =
        (!(value instanceof Double d) || Double.isFinite(d))
            && (!(value instanceof Float f) || Float.isFinite(f));
    if (!finite) {
      throw new IllegalArgumentException("value of attribute '" + path + "' must be finite");
    }
    return value;
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
