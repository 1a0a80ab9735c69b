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
      return isNear(exact.floatValue(), exact) ? (Object) exact.floatValue() : null;
    }
    double binary = exact.doubleValue();
    boolean same =
        type == Double.class
            && Double.isFinite(binary)
            && BigDecimal.valueOf(binary).compareTo(exact) == 0;
    return same ? (Object) binary : null;
  }

  /**
   * Whether a float means a number: a whole one exactly, and others rounded, but not to nothing.
   */
  private static boolean isNear(float rounded, BigDecimal exact) {
    boolean isWhole = exact.stripTrailingZeros().scale() <= 0;
    return Float.isFinite(rounded)
        && (isWhole ? new BigDecimal(Float.toString(rounded)).compareTo(exact) == 0 : rounded != 0);
  }

  private static boolean holds(long highest, BigDecimal exact) {
    return exact.compareTo(BigDecimal.valueOf(highest)) <= 0
        && exact.compareTo(BigDecimal.valueOf(-highest - 1)) >= 0
        && exact.stripTrailingZeros().scale() <= 0;
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
