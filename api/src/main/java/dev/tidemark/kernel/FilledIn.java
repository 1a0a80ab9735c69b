package dev.tidemark.kernel;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a class fills in by itself where the stored entity has no value, as an initial value of a
 * field. Where it is another one at each read, an entity is told to have it only once it is stored.
 */
public final class FilledIn {
  private FilledIn() {}

  /**
   * Whether a class has filled in something that can be stored without loss. Where a value has
   * parts that the class does not map, as after a newer version of the class, it stays as it is,
   * since a value is written as a whole.
   *
   * @param mapped a neutral value, as the class gives it right after it was read
   * @param stored the value that was read; null if there is none
   * @return whether the first has a value where the second has none, and all that the second has
   */
  public static boolean in(@Nullable Object mapped, @Nullable Object stored) {
    return adds(mapped, stored) && covers(mapped, stored);
  }

  private static boolean covers(@Nullable Object mapped, @Nullable Object stored) {
    if (stored instanceof Map<?, ?> members) {
      return mapped instanceof Map<?, ?> others
          && members.entrySet().stream()
              .allMatch(member -> covers(others.get(member.getKey()), member.getValue()));
    }
    if (stored instanceof List<?> elements) {
      return mapped instanceof List<?> others
          && others.size() == elements.size()
          && IntStream.range(0, elements.size())
              .allMatch(place -> covers(others.get(place), elements.get(place)));
    }
    return stored == null || mapped != null;
  }

  private static boolean adds(@Nullable Object mapped, @Nullable Object stored) {
    if (stored == null) {
      return mapped != null;
    }
    if (mapped instanceof Map<?, ?> members && stored instanceof Map<?, ?> others) {
      return members.entrySet().stream()
          .anyMatch(member -> adds(member.getValue(), others.get(member.getKey())));
    }
    if (mapped instanceof List<?> elements && stored instanceof List<?> others) {
      int places = Math.min(elements.size(), others.size());
      for (int place = 0; place < places; place++) {
        if (adds(elements.get(place), others.get(place))) {
          return true;
        }
      }
    }
    return false;
  }
}
