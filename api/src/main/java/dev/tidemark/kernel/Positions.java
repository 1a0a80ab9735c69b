package dev.tidemark.kernel;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Position;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Order and stored form of positions. */
final class Positions {
  private static final String LOWEST = "!";

  private Positions() {}

  static Position plus(Position position, long amount) {
    return Position.of(number(position).add(BigInteger.valueOf(amount)));
  }

  static BigInteger number(Position position) {
    if (position instanceof Position.Numeric numeric) {
      return numeric.value();
    }
    throw new IllegalArgumentException(
        "a dense source needs positions that are numbers, not '" + position + "'");
  }

  /** Below every position of that width. */
  static Position.Textual lowest(Position.Textual position) {
    return (Position.Textual) Position.ofText(LOWEST.repeat(position.value().length()));
  }

  static Object stored(Position position) {
    if (position instanceof Position.Textual fixed) {
      return fixed.value();
    }
    BigInteger value = number(position);
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : new BigDecimal(value);
  }

  static Position read(String name, Object stored) {
    try {
      if (stored instanceof Number number) {
        return Position.of(Evaluator.exact(number).toBigIntegerExact());
      }
      if (stored instanceof String text) {
        return Position.ofText(text);
      }
    } catch (ArithmeticException | IllegalArgumentException e) {
      throw new CorruptRecordException("mark '" + name + "' is not a position", null, e);
    }
    throw new CorruptRecordException(
        "mark '" + name + "' is neither a number nor a string", null, null);
  }
}
