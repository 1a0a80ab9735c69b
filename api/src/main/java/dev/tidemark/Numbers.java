package dev.tidemark;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.Supplier;

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

  /** The number itself, once its size is known to be harmless. */
  static <N extends Number> N bounded(Supplier<String> field, N number) {
    boolean fits =
        number instanceof BigDecimal decimal
            ? fits(decimal)
            : !(number instanceof BigInteger whole)
                || (whole.bitLength() <= MOST_BITS && fits(new BigDecimal(whole)));
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

  private static boolean fits(BigDecimal decimal) {
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
