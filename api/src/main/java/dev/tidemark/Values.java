package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks and copies of the values that changes and conditions carry, before a store sees them. */
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
    return value instanceof String text
        ? Text.wellFormed(() -> "value of attribute '" + path + "'", text)
        : Copies.of(checked(path, value));
  }

  private static Object checked(Path path, Object value) {
    if (Numbers.isBinary(value) && !Double.isFinite(((Number) value).doubleValue())) {
      throw new IllegalArgumentException("value of attribute '" + path + "' must be finite");
    }
    if (value instanceof Collection<?> elements) {
      elements.forEach(element -> checkedInside(path, element));
    } else if (value instanceof Map<?, ?> members) {
      members.values().forEach(member -> checkedInside(path, member));
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
  private static void checkedInside(Path path, @Nullable Object value) {
    if (value instanceof Number || value instanceof Collection || value instanceof Map) {
      Object unused = checked(path, value);
    }
  }

  /** An amount, of which the exact value has to be known. */
  static Number amount(Path path, @Nullable Number value) {
    Number amount = (Number) any(path, value);
    BigDecimal unused = Numbers.exact("value of attribute '" + path + "'", amount);
    return amount;
  }

  /** The same for numbers that are equal, of whatever class. */
  static Object comparable(Object value) {
    BigDecimal exact = value instanceof Number number ? Numbers.exactOrNull(number) : null;
    return exact == null ? value : exact.stripTrailingZeros();
  }
}
