package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Operation.AddAll;
import dev.tidemark.Operation.AppendAll;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.AssignIfAbsent;
import dev.tidemark.Operation.Increase;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Operation.RemoveAll;
import dev.tidemark.Path;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
    if (condition instanceof Condition.And and) {
      return and.all().stream().allMatch(c -> test(c, entity));
    }
    if (condition instanceof Condition.Or or) {
      return or.any().stream().anyMatch(c -> test(c, entity));
    }
    if (condition instanceof Condition.Not not) {
      return !test(not.condition(), entity);
    }
    return testAttribute(condition, entity);
  }

  /**
   * The attributes that a condition asks.
   *
   * @param condition the condition
   * @return their paths, each as often as it is asked
   */
  public static List<Path> paths(Condition condition) {
    List<Path> paths = new ArrayList<>();
    collect(condition, paths);
    return paths;
  }

  private static void collect(Condition condition, List<Path> paths) {
    if (condition instanceof Condition.And and) {
      and.all().forEach(part -> collect(part, paths));
    } else if (condition instanceof Condition.Or or) {
      or.any().forEach(part -> collect(part, paths));
    } else if (condition instanceof Condition.Not not) {
      collect(not.condition(), paths);
    } else {
      paths.add(path(condition));
    }
  }

  private static Path path(Condition condition) {
    if (condition instanceof Condition.Exists exists) {
      return exists.path();
    }
    if (condition instanceof Condition.Compare compare) {
      return compare.path();
    }
    if (condition instanceof Condition.In in) {
      return in.path();
    }
    if (condition instanceof Condition.Contains contains) {
      return contains.path();
    }
    return condition instanceof Condition.SizeBelow below
        ? below.path()
        : ((Condition.OfKind) condition).path();
  }

  private static boolean testAttribute(Condition condition, Map<String, Object> entity) {
    if (condition instanceof Condition.Exists exists) {
      return get(entity, exists.path()) != null;
    }
    if (condition instanceof Condition.Compare compare) {
      return compares(get(entity, compare.path()), compare.operator(), compare.value());
    }
    if (condition instanceof Condition.In in) {
      Object stored = get(entity, in.path());
      return in.values().stream().anyMatch(v -> compares(stored, Condition.Operator.EQUAL, v));
    }
    if (condition instanceof Condition.Contains contains) {
      return get(entity, contains.path()) instanceof Collection<?> elements
          && elements.stream()
              .anyMatch(e -> compares(e, Condition.Operator.EQUAL, contains.value()));
    }
    if (condition instanceof Condition.SizeBelow below) {
      return size(get(entity, below.path())) < below.size();
    }
    Condition.OfKind ofKind = (Condition.OfKind) condition;
    return isOfKind(get(entity, ofKind.path()), ofKind.kind());
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
    };
  }

  private static boolean isSetOf(@Nullable Object stored, Class<?> type) {
    return stored instanceof Set<?> set && set.stream().allMatch(type::isInstance);
  }

  private static boolean compares(
      @Nullable Object stored, Condition.Operator operator, Object value) {
    Integer order = order(stored, value);
    if (order == null) {
      return operator == Condition.Operator.EQUAL && value.equals(stored);
    }
    return switch (operator) {
      case EQUAL -> order == 0;
      case LESS -> order < 0;
      case AT_MOST -> order <= 0;
      case GREATER -> order > 0;
      case AT_LEAST -> order >= 0;
    };
  }

  /**
   * Null where the two are not ordered: of different kinds, or neither string, number nor bytes.
   */
  private static @Nullable Integer order(@Nullable Object stored, Object value) {
    if (stored instanceof Number left && value instanceof Number right) {
      return exact(left).compareTo(exact(right));
    }
    if (stored instanceof String left && value instanceof String right) {
      return java.util.Arrays.compareUnsigned(utf8(left), utf8(right));
    }
    if (stored instanceof ByteBuffer left && value instanceof ByteBuffer right) {
      return java.util.Arrays.compareUnsigned(bytes(left), bytes(right));
    }
    return null;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /**
   * A number's exact value.
   *
   * @param number of any usual class
   * @return the value
   */
  public static BigDecimal exact(Number number) {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    if (number instanceof BigInteger whole) {
      return new BigDecimal(whole);
    }
    return number instanceof Double || number instanceof Float
        ? new BigDecimal(number.toString())
        : BigDecimal.valueOf(number.longValue());
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
      if (!(stored instanceof Map<?, ?> parent)) {
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
    if (operation instanceof Assign assign) {
      return assign.value();
    }
    if (operation instanceof AssignIfAbsent assign) {
      return stored == null ? assign.value() : stored;
    }
    if (operation instanceof Remove) {
      return null;
    }
    if (operation instanceof Increase increase) {
      return sum(increase, stored == null ? 0L : stored);
    }
    Collection<Object> elements = elements(operation, stored);
    if (operation instanceof AppendAll append) {
      elements.addAll(append.elements());
    } else if (operation instanceof AddAll add) {
      add.elements().forEach(e -> addDistinct(elements, e));
    } else if (operation instanceof RemoveAll remove) {
      elements.removeIf(
          e -> remove.elements().stream().anyMatch(r -> compares(e, Condition.Operator.EQUAL, r)));
    }
    return elements.isEmpty() ? null : elements;
  }

  private static void addDistinct(Collection<Object> elements, Object element) {
    if (elements.stream().noneMatch(e -> compares(e, Condition.Operator.EQUAL, element))) {
      elements.add(element);
    }
  }

  private static Number sum(Increase increase, Object stored) {
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

  private static Collection<Object> elements(Operation operation, @Nullable Object stored) {
    boolean list = operation instanceof AppendAll;
    if (stored == null) {
      return list ? new ArrayList<>() : new LinkedHashSet<>();
    }
    if (list && stored instanceof List<?> elements) {
      return new ArrayList<>(elements);
    }
    if (!list && stored instanceof Set<?> elements) {
      return new LinkedHashSet<>(elements);
    }
    throw new InvalidChangeException(
        "'" + operation.path() + "' is not a " + (list ? "list" : "set"), null, null);
  }
}
