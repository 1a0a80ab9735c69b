package dev.tidemark.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a class fills in by itself where the stored entity has no value, as an initial value of a
 * field. Where it is another one at each read, an entity is told to have it only once it is stored.
 * What was the same a millisecond later is taken for a constant from then on. Safe for use by many
 * threads.
 */
public final class FilledIn {
  private static final int MOST_CONSTANTS = 1_000;

  /** And a little more: the clocks of a machine need not go equally fast. */
  private static final long MILLISECOND_NANOS = 1_100_000;

  private final Map<String, Object> constants = new ConcurrentHashMap<>();

  /**
   * Gives a store's value as a neutral one.
   *
   * @param <V> the store's values
   */
  @FunctionalInterface
  public interface Neutral<V> {
    /**
     * One value.
     *
     * @param value of the store
     * @return what it says; null if it says that there is none
     */
    @Nullable Object of(V value);
  }

  /** Of a class of which nothing is known yet. */
  public FilledIn() {}

  /**
   * Takes attributes back to what is stored where a class has filled in what is another at each
   * read, and can be stored without loss: so the difference to what a function leaves has it. Where
   * a value has parts that the class does not map, as after a newer version of the class, it stays
   * as it is, since a value is written as a whole.
   *
   * @param mapped by name, as the class gives the attributes right after they were read; takes what
   *     is stored in their place
   * @param stored the attributes that were read, by name
   * @param neutral gives a neutral value
   * @param reading maps what is stored once more; called once at most, in a later millisecond
   * @param <V> the store's values
   */
  public <V> void takeBack(
      Map<String, V> mapped,
      Map<String, V> stored,
      Neutral<V> neutral,
      Supplier<? extends Map<String, V>> reading) {
    Supplier<Map<String, V>> again = once(reading);
    for (String name : List.copyOf(mapped.keySet())) {
      V value = stored.get(name);
      V given = Objects.requireNonNull(mapped.get(name));
      if (!given.equals(value)
          && isGenerated(
              name,
              neutral.of(given),
              orNull(value, neutral),
              () -> orNull(again.get().get(name), neutral))) {
        if (value == null) {
          mapped.remove(name);
        } else {
          mapped.put(name, value);
        }
      }
    }
  }

  private static <V> @Nullable Object orNull(@Nullable V value, Neutral<V> neutral) {
    return value == null ? null : neutral.of(value);
  }

  private static <V> Supplier<Map<String, V>> once(Supplier<? extends Map<String, V>> reading) {
    List<Map<String, V>> known = new ArrayList<>(1);
    return () -> {
      if (known.isEmpty()) {
        awaitNextMillisecond();
        known.add(reading.get());
      }
      return known.get(0);
    };
  }

  /** Whether the first has a value where the second has none, and all that the second has. */
  private boolean isGenerated(
      String name,
      @Nullable Object mapped,
      @Nullable Object stored,
      Supplier<@Nullable Object> again) {
    Map<String, Object> added = new HashMap<>();
    add(added, name, mapped, stored);
    if (!covers(mapped, stored)
        || added.entrySet().stream()
            .allMatch(value -> value.getValue().equals(constants.get(value.getKey())))) {
      return false;
    }
    Map<String, Object> later = new HashMap<>();
    add(later, name, again.get(), stored);
    if (!later.equals(added)) {
      return true;
    }
    if (constants.size() < MOST_CONSTANTS) { // names of members may come from users
      constants.putAll(added);
    }
    return false;
  }

  /** Waits until another reading gives a time another value: for as short as that can be. */
  private static void awaitNextMillisecond() {
    long start = System.nanoTime();
    while (System.nanoTime() - start < MILLISECOND_NANOS) {
      Thread.onSpinWait();
    }
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

  private static void add(
      Map<String, Object> added, String path, @Nullable Object mapped, @Nullable Object stored) {
    if (stored == null) {
      if (mapped != null) {
        added.put(path, mapped);
      }
    } else if (mapped instanceof Map<?, ?> members && stored instanceof Map<?, ?> others) {
      members.forEach((name, member) -> add(added, path + "." + name, member, others.get(name)));
    } else if (mapped instanceof List<?> elements && stored instanceof List<?> others) {
      for (int place = 0; place < Math.min(elements.size(), others.size()); place++) {
        add(added, path + "." + place, elements.get(place), others.get(place));
      }
    }
  }
}
