package dev.tidemark.tck.contract;

import dev.tidemark.tck.Neutral;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares records where a store without sets gives a list for a set. */
final class Raw {
  private Raw() {}

  static boolean same(@Nullable Object expected, @Nullable Object actual) {
    if (expected instanceof Map<?, ?> left && actual instanceof Map<?, ?> right) {
      return left.keySet().equals(right.keySet())
          && left.keySet().stream().allMatch(name -> same(left.get(name), right.get(name)));
    }
    if (expected instanceof Set<?> set && actual instanceof Collection<?> elements) {
      return elements.size() == set.size() && new HashSet<>(elements).equals(set);
    }
    if (expected instanceof List<?> left && actual instanceof List<?> right) {
      return left.size() == right.size()
          && java.util.stream.IntStream.range(0, left.size())
              .allMatch(i -> same(left.get(i), right.get(i)));
    }
    return expected == null ? actual == null : expected.equals(actual);
  }

  static void assertSame(Map<String, Object> expected, Map<String, Object> actual, String when) {
    Map<String, Object> neutral = Neutral.record(expected);
    if (!same(neutral, actual)) {
      throw new AssertionError(when + ": expected " + neutral + " but stored is " + actual);
    }
  }

  /** A record without the marks and the revision. */
  static Map<String, Object> attributes(Map<String, Object> record) {
    return record.entrySet().stream()
        .filter(e -> !isTracking(e.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static boolean isTracking(String name) {
    return name.startsWith("messageIDs")
        || name.startsWith("events")
        || List.of("_rev", "_born", "deletedUntil").contains(name);
  }
}
