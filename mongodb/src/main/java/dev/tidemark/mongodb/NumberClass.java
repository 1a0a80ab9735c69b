package dev.tidemark.mongodb;

import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;

/** What Java's classes of numbers hold. */
final class NumberClass {
  private static final Map<Class<?>, Long> HIGHEST =
      Map.of(
          Long.class, Long.MAX_VALUE,
          Integer.class, (long) Integer.MAX_VALUE,
          Short.class, (long) Short.MAX_VALUE,
          Byte.class, (long) Byte.MAX_VALUE,
          AtomicInteger.class, (long) Integer.MAX_VALUE,
          AtomicLong.class, Long.MAX_VALUE);

  /** What the driver's class of decimals holds. */
  private static final int DIGITS = 34;

  private NumberClass() {}

  /** The highest of the whole numbers that a class holds; null for all other classes. */
  static @Nullable Long highest(Class<?> type) {
    return HIGHEST.get(type);
  }

  /** The highest number that a class holds, where more than that can be stored; null of others. */
  static @Nullable Number most(Class<?> type) {
    return type == Float.class ? (Number) (double) Float.MAX_VALUE : HIGHEST.get(type);
  }

  /** The lowest number of a class that has a highest one. */
  static Number least(Number most) {
    return most instanceof Double binary ? (Number) (-binary) : (Number) (-most.longValue() - 1);
  }

  /** A number as one of a class; null if that does not hold it, or is none of these. */
  static @Nullable Object of(Class<?> type, BigDecimal exact) {
    Long highest = highest(type);
    if (highest != null) {
      return holds(highest, exact) ? whole(type, exact.longValueExact()) : null;
    }
    if (type == BigDecimal.class) {
      return exact;
    }
    if (type == Decimal128.class) {
      return exact.precision() > DIGITS ? null : new Decimal128(exact);
    }
    if (type == Float.class) {
      float rounded = exact.floatValue();
      boolean isNear = !isWhole(exact) && rounded != 0 && Float.isFinite(rounded);
      return isNear || isSame(rounded, Float.toString(rounded), exact) ? (Object) rounded : null;
    }
    double binary = exact.doubleValue();
    return type == Double.class && isSame(binary, Double.toString(binary), exact)
        ? (Object) binary
        : null;
  }

  /**
   * Whether a binary number means another: a whole one of 64 bits exactly, as it would be compared,
   * and others by the shortest digits.
   */
  private static boolean isSame(double binary, String digits, BigDecimal exact) {
    return Double.isFinite(binary)
        && (holds(Long.MAX_VALUE, exact) ? new BigDecimal(binary) : new BigDecimal(digits))
                .compareTo(exact)
            == 0;
  }

  private static boolean isWhole(BigDecimal exact) {
    return exact.stripTrailingZeros().scale() <= 0;
  }

  private static boolean holds(long highest, BigDecimal exact) {
    return exact.compareTo(BigDecimal.valueOf(highest)) <= 0
        && exact.compareTo(BigDecimal.valueOf(-highest - 1)) >= 0
        && isWhole(exact);
  }

  private static Object whole(Class<?> type, long value) {
    if (type == Long.class) {
      return value;
    }
    if (type == Integer.class) {
      return (int) value;
    }
    if (type == AtomicInteger.class) {
      return new AtomicInteger((int) value);
    }
    if (type == AtomicLong.class) {
      return new AtomicLong(value);
    }
    return type == Short.class ? (Object) (short) value : (Object) (byte) value;
  }
}
