package dev.tidemark;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Copies of what a caller gives and may change afterwards: bytes, and Java's own collections with
 * all that is in them. What else can change is not known here, and stays the caller's.
 */
final class Copies {
  private Copies() {}

  /**
   * A value that changes with no other.
   *
   * @param value any value
   * @return its copy, of the same kind and order; itself if it is of no class of Java that changes
   */
  @SuppressWarnings("JavaUtilDate")
  static Object of(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.clone();
    }
    if (value instanceof ByteBuffer buffer) {
      return ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
    }
    if (value instanceof AtomicInteger number) {
      return new AtomicInteger(number.get());
    }
    if (value instanceof AtomicLong number) {
      return new AtomicLong(number.get());
    }
    if (!value.getClass().getName().startsWith("java.util.")) {
      return value;
    }
    if (value instanceof Map<?, ?> map) {
      return map(map);
    }
    if (value instanceof Collection<?> elements) {
      return elements instanceof Set<?> set ? set(set) : list(elements);
    }
    return value instanceof Date date ? date.clone() : value;
  }

  private static @Nullable Object orNull(@Nullable Object value) {
    return value == null ? null : of(value);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Map<?, ?> map(Map<?, ?> given) {
    if (given instanceof EnumMap map) {
      Map<?, @Nullable Object> copy = map.clone();
      copy.replaceAll((name, member) -> orNull(member));
      return copy;
    }
    boolean sorted = given instanceof SortedMap;
    Comparator<?> order = sorted ? ((SortedMap<?, ?>) given).comparator() : null;
    Map<Object, @Nullable Object> usual =
        sorted ? new TreeMap<>((Comparator) order) : new LinkedHashMap<>();
    Map<Object, @Nullable Object> copy =
        given.getClass() == HashMap.class ? usual : empty(given, order, usual);
    given.forEach((name, member) -> copy.put(name, orNull(member)));
    return copy;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Set<?> set(Set<?> given) {
    if (given instanceof EnumSet<?> set) {
      return set.clone();
    }
    if (given instanceof SortedSet set) { // what has an order in it does not change
      Set<Object> copy = empty(given, set.comparator(), new TreeSet<>(set.comparator()));
      copy.addAll(given);
      return copy;
    }
    Set<@Nullable Object> usual = new LinkedHashSet<>();
    Set<@Nullable Object> copy =
        given.getClass() == HashSet.class ? usual : empty(given, null, usual);
    given.forEach(element -> copy.add(orNull(element)));
    return copy;
  }

  private static Collection<?> list(Collection<?> given) {
    Comparator<?> order =
        given instanceof PriorityQueue<?> queue
            ? queue.comparator()
            : given instanceof PriorityBlockingQueue<?> queue ? queue.comparator() : null;
    Collection<@Nullable Object> usual = new ArrayList<>(given.size());
    Collection<@Nullable Object> copy = empty(given, order, usual);
    given.forEach(element -> copy.add(orNull(element)));
    return copy;
  }

  /**
   * What a copy starts from: of the same class, in the same order.
   *
   * @param order null unless the collection has one of its own
   * @param usual instead of a class that is hidden, as of an unmodifiable one or a view, or that
   *     cannot be made empty
   */
  @SuppressWarnings("unchecked")
  private static <C> C empty(Object given, @Nullable Comparator<?> order, C usual) {
    Class<?> type = given.getClass();
    try {
      return (C)
          (order == null
              ? type.getConstructor().newInstance()
              : type.getConstructor(Comparator.class).newInstance(order));
    } catch (ReflectiveOperationException e) {
      return usual;
    }
  }
}
