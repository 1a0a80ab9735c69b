package dev.tidemark.tck;

import dev.tidemark.kernel.Evaluator;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Values in the one form that stores are compared in: strings, booleans, {@code Long}s or {@code
 * BigDecimal}s, read-only {@code ByteBuffer}s, lists, sets and maps of them.
 */
public final class Neutral {
  private Neutral() {}

  /**
   * A value in neutral form.
   *
   * @param value any value that stores take
   * @return an equal value
   * @throws IllegalArgumentException if it is of no such kind
   */
  public static Object of(Object value) {
    if (value instanceof Number number) {
      return number(number);
    }
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes.clone()).asReadOnlyBuffer();
    }
    if (value instanceof Set<?> set) {
      Set<Object> copy = new LinkedHashSet<>();
      set.forEach(element -> copy.add(of(element)));
      return copy;
    }
    if (value instanceof List<?> list) {
      List<Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(of(element)));
      return copy;
    }
    if (value instanceof Map<?, ?> map) {
      return record(map);
    }
    boolean scalar =
        value instanceof String || value instanceof Boolean || value instanceof ByteBuffer;
    if (!scalar) {
      throw new IllegalArgumentException("no neutral form of " + value.getClass().getName());
    }
    return value;
  }

  /**
   * A record in neutral form.
   *
   * @param map values by name
   * @return a copy, mutable
   */
  public static Map<String, Object> record(Map<?, ?> map) {
    Map<String, Object> copy = new LinkedHashMap<>();
    map.forEach((name, value) -> copy.put((String) name, of(value)));
    return copy;
  }

  private static Object number(Number number) {
    BigDecimal exact = Evaluator.exact(number);
    BigDecimal plain = exact.signum() == 0 ? BigDecimal.ZERO : exact.stripTrailingZeros();
    boolean fits = plain.scale() <= 0 && plain.toBigInteger().bitLength() < Long.SIZE;
    return fits ? (Object) plain.longValueExact() : plain;
  }
}
