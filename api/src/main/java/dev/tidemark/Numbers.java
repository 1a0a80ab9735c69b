package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of numbers in keys, changes and conditions. A number of a few characters can stand for
 * more digits than memory holds ({@code 1E+2147483647}), so that its size is checked before it is
 * converted. A store may hold less than these bounds allow.
 */
final class Numbers {
  private static final int MOST_DIGITS = 38;

  /** Beyond what any store holds: a decimal of 128 bits ends at 6,144. */
  private static final int MOST_EXPONENT = 6_200;

  /** Enough for every whole number within the exponent, written out. */
  private static final int MOST_BITS = 20_700;

  private Numbers() {}

  /** Whether a value is a floating-point number, whose digits are not those of its text. */
  static boolean isBinary(Object value) {
    return value instanceof Double
        || value instanceof Float
        || value instanceof DoubleAdder
        || value instanceof DoubleAccumulator;
  }

  /** A number's exact value. */
  static BigDecimal exact(String field, Number number) {
    try {
      return Text.decimal(number);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + " " + e.getMessage(), e);
    }
  }

  /** The same; null if the number is none, or of a class whose text does not tell. */
  static @Nullable BigDecimal exactOrNull(Number number) {
    try {
      return Text.decimal(number);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The number itself, once its size is known to be harmless. */
  static <N extends Number> N bounded(Supplier<String> field, N number) {
    boolean fits =
        number instanceof BigInteger whole
            ? whole.bitLength() <= MOST_BITS && fits(new BigDecimal(whole))
            : fits(exactOrNull(number));
    if (!fits) {
      throw new IllegalArgumentException(
          field.get()
              + " must be a number of at most "
              + MOST_DIGITS
              + " digits with an exponent of at most "
              + MOST_EXPONENT
              + " either way; the "
              + number.getClass().getSimpleName()
              + " that was given is larger or finer");
    }
    return number;
  }

  private static boolean fits(@Nullable BigDecimal decimal) {
    if (decimal == null) {
      return true; // the store's to judge
    }
    boolean harmless =
        Math.abs((long) decimal.scale()) <= 2L * MOST_EXPONENT
            && decimal.unscaledValue().bitLength() <= MOST_BITS;
    if (!harmless) {
      return false;
    }
    BigDecimal plain = decimal.stripTrailingZeros();
    return plain.signum() == 0
        || (plain.precision() <= MOST_DIGITS
            && Math.abs(plain.precision() - plain.scale()) <= MOST_EXPONENT);
  }
}
