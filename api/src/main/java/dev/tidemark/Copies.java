package dev.tidemark;

import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Copies of what a caller gives and may change afterwards: bytes, and Java's usual collections with
 * all that is in them. What else can change is not known here, and stays the caller's.
 */
final class Copies {
  /** Their copies are of the same class, or of one below it. */
  private static final Set<Class<?>> COPIED =
      Set.of(
          ArrayList.class,
          LinkedList.class,
          ArrayDeque.class,
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class,
          HashMap.class,
          LinkedHashMap.class,
          TreeMap.class,
          EnumMap.class,
          Date.class);

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
    Class<?> type = value.getClass();
    boolean isHidden = !Modifier.isPublic(type.getModifiers()); // an unmodifiable one, or a view
    if (!type.getName().startsWith("java.util.") || !(isHidden || COPIED.contains(type))) {
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
    Map<Object, @Nullable Object> copy =
        given instanceof EnumMap map
            ? map.clone()
            : given instanceof SortedMap map ? new TreeMap<>(map) : new LinkedHashMap<>(given);
    copy.replaceAll((name, member) -> orNull(member));
    return copy;
  }

  private static Set<?> set(Set<?> given) {
    if (given instanceof EnumSet<?> set) {
      return set.clone();
    }
    if (given instanceof SortedSet<?> set) {
      return new TreeSet<>(set); // what has an order in it does not change
    }
    Set<@Nullable Object> copy = new LinkedHashSet<>();
    given.forEach(element -> copy.add(orNull(element)));
    return copy;
  }

  @SuppressWarnings("JdkObsolete") // of the class that was given
  private static Collection<?> list(Collection<?> given) {
    Collection<@Nullable Object> copy =
        given instanceof ArrayDeque
            ? new ArrayDeque<>()
            : given instanceof LinkedList ? new LinkedList<>() : new ArrayList<>(given.size());
    given.forEach(element -> copy.add(orNull(element)));
    return copy;
  }
}
