package dev.tidemark.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.Condition;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What conditions and operations mean, over an entity as a map of neutral values: strings, numbers,
 * booleans, {@code ByteBuffer}s, lists, sets and maps. Stores are held to it.
 */
public final class Evaluator {
  private Evaluator() {}

  /**
   * Tells whether a condition is true.
   *
   * @param condition the condition
   * @param entity the entity; empty for a missing one
   * @return its truth
   */
  public static boolean test(Condition condition, Map<String, Object> entity) {
    if (condition instanceof Condition.Test test) {
      return test(test, get(entity, test.path()));
    }
    Condition.Joined joined = (Condition.Joined) condition;
    return switch (joined.join()) {
      case AND -> joined.parts().stream().allMatch(part -> test(part, entity));
      case OR -> joined.parts().stream().anyMatch(part -> test(part, entity));
      case NOT -> !test(joined.part(), entity);
    };
  }

  private static boolean test(Condition.Test test, @Nullable Object stored) {
    Integer order = order(stored, test.value());
    return switch (test.operator()) {
      case EQUAL -> equal(stored, test.value());
      case LESS -> order != null && order < 0;
      case AT_MOST -> order != null && order <= 0;
      case GREATER -> order != null && order > 0;
      case AT_LEAST -> order != null && order >= 0;
      case EXISTS -> stored != null;
      case IN -> test.values().stream().anyMatch(value -> equal(stored, value));
      case CONTAINS -> has(stored, test.value());
      case SIZE_BELOW -> size(stored) < test.size();
      case OF_KIND -> isOfKind(stored, test.kind());
    };
  }

  private static boolean has(@Nullable Object stored, Object value) {
    return stored instanceof Collection<?> elements
        && elements.stream().anyMatch(element -> equal(element, value));
  }

  /**
   * The attributes that a condition asks.
   *
   * @param condition the condition
   * @return their paths, each as often as it is asked
   */
  public static List<Path> paths(Condition condition) {
    return condition instanceof Condition.Test test
        ? List.of(test.path())
        : ((Condition.Joined) condition)
            .parts().stream().flatMap(part -> paths(part).stream()).toList();
  }

  private static int size(@Nullable Object stored) {
    if (stored instanceof Collection<?> elements) {
      return elements.size();
    }
    return stored instanceof String text ? text.length() : Integer.MAX_VALUE;
  }

  private static boolean isOfKind(@Nullable Object stored, Condition.Kind kind) {
    return switch (kind) {
      case STRING -> stored instanceof String;
      case NUMBER -> stored instanceof Number;
      case BINARY -> stored instanceof ByteBuffer;
      case NULL -> false; // neutral maps leave nulls out
      case STRING_SET -> isSetOf(stored, String.class);
      case NUMBER_SET -> isSetOf(stored, Number.class);
      case BINARY_SET -> isSetOf(stored, ByteBuffer.class);
      case LIST -> stored instanceof List;
    };
  }

  private static boolean isSetOf(@Nullable Object stored, Class<?> type) {
    return stored instanceof Set<?> set && set.stream().allMatch(type::isInstance);
  }

  private static boolean equal(@Nullable Object stored, Object value) {
    Integer order = order(stored, value);
    return order == null ? value.equals(stored) : order == 0;
  }

  /**
   * Null where the two are not ordered: of different kinds, or neither string, number nor bytes.
   */
  private static @Nullable Integer order(@Nullable Object stored, Object value) {
    if (stored instanceof Number left && value instanceof Number right) {
      return exact(left).compareTo(exact(right));
    }
    if (stored instanceof String left && value instanceof String right) {
      return Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8));
    }
    if (stored instanceof ByteBuffer left && value instanceof ByteBuffer right) {
      return Arrays.compareUnsigned(bytes(left), bytes(right));
    }
    return null;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /**
   * A number's exact value. That of a class which is not Java's, such as an SDK's or a driver's
   * decimal, is what its text says: {@code longValue()} would cut it.
   *
   * @param number of any class
   * @return the value
   * @throws IllegalArgumentException if the number's text is no decimal, such as that of a NaN
   */
  public static BigDecimal exact(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    if (number instanceof BigInteger whole) {
      return new BigDecimal(whole);
    }
    if (number instanceof Long || number instanceof Integer) {
      return BigDecimal.valueOf(number.longValue());
    }
    try {
      return new BigDecimal(number.toString());
    } catch (NumberFormatException e) { // whose text may show the value
      throw new IllegalArgumentException(
          "is given a %s whose text is no decimal number; give a BigDecimal"
              .formatted(number.getClass().getName()));
    }
  }

  private static @Nullable Object get(Map<String, Object> entity, Path path) {
    Object value = entity;
    for (String segment : path.segments()) {
      value = value instanceof Map<?, ?> map ? map.get(segment) : null;
    }
    return value;
  }

  /**
   * Performs operations.
   *
   * @param operations none of which overlap
   * @param entity the entity; not changed
   * @return the entity after them
   * @throws InvalidChangeException if the entity does not have the shape that one needs
   */
  public static Map<String, Object> apply(
      Collection<? extends Operation> operations, Map<String, Object> entity) {
    Map<String, Object> result = entity;
    for (Operation operation : operations) {
      result = apply(operation, operation.path().segments(), result);
    }
    return result;
  }

  private static Map<String, Object> apply(
      Operation operation, List<String> segments, Map<String, Object> map) {
    String name = segments.get(0);
    Object stored = map.get(name);
    Object after;
    if (segments.size() > 1) {
      boolean creates = stored == null && operation.createsParents();
      if (!((creates ? Map.of() : stored) instanceof Map<?, ?> parent)) {
        throw new InvalidChangeException(
            "parent of '" + operation.path() + "' is missing or not a map", null, null);
      }
      @SuppressWarnings("unchecked")
      Map<String, Object> members = (Map<String, Object>) parent;
      after = apply(operation, segments.subList(1, segments.size()), members);
    } else {
      after = result(operation, stored);
    }
    Map<String, Object> result = new LinkedHashMap<>(map);
    if (after == null) {
      result.remove(name);
    } else {
      result.put(name, after);
    }
    return result;
  }

  private static @Nullable Object result(Operation operation, @Nullable Object stored) {
    return switch (operation.kind()) {
      case ASSIGN -> operation.value();
      case ASSIGN_IF_ABSENT -> stored == null ? operation.value() : stored;
      case INCREASE -> sum(operation, stored == null ? 0L : stored);
      case APPEND_ALL -> appended(operation, stored);
      case ADD_ALL -> added(operation, stored);
      case REMOVE_ALL -> left(operation, stored);
      case REMOVE -> null;
    };
  }

  private static List<Object> appended(Operation append, @Nullable Object stored) {
    if (stored != null && !(stored instanceof List)) {
      throw new InvalidChangeException("'" + append.path() + "' is not a list", null, null);
    }
    List<Object> elements = new ArrayList<>(stored instanceof List<?> list ? list : List.of());
    elements.addAll(append.elements());
    return elements;
  }

  private static Set<Object> added(Operation add, @Nullable Object stored) {
    Set<Object> elements = set(add, stored);
    for (Object element : add.elements()) {
      if (elements.stream().noneMatch(e -> equal(e, element))) {
        elements.add(element);
      }
    }
    return elements;
  }

  private static @Nullable Object left(Operation remove, @Nullable Object stored) {
    Set<Object> elements = set(remove, stored);
    elements.removeIf(e -> remove.elements().stream().anyMatch(removed -> equal(e, removed)));
    return elements.isEmpty() ? null : elements;
  }

  private static Set<Object> set(Operation operation, @Nullable Object stored) {
    if (stored != null && !(stored instanceof Set)) {
      throw new InvalidChangeException("'" + operation.path() + "' is not a set", null, null);
    }
    return new LinkedHashSet<>(stored instanceof Set<?> elements ? elements : Set.of());
  }

  private static Number sum(Operation increase, Object stored) {
    if (!(stored instanceof Number number)) {
      throw new InvalidChangeException("'" + increase.path() + "' is not a number", null, null);
    }
    BigDecimal sum = exact(number).add(exact(increase.amount()));
    boolean whole = isWhole(number) && isWhole(increase.amount());
    if (!whole) {
      return sum;
    }
    if (sum.toBigInteger().bitLength() >= Long.SIZE) {
      throw new InvalidChangeException("'" + increase.path() + "' would overflow", null, null);
    }
    return sum.longValueExact();
  }

  private static boolean isWhole(Number number) {
    return number instanceof Long
        || number instanceof Integer
        || number instanceof Short
        || number instanceof Byte;
  }
}
