package dev.tidemark.benchmarks.measure;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tidemark.Key;
import java.time.Duration;
import java.util.concurrent.ConcurrentMap;

/** Bounded maps, as a user would give them to a cache of marks. */
public final class Caches {
  private Caches() {}

  /**
   * A map that forgets.
   *
   * @param entities how many it holds
   * @return the map
   */
  public static ConcurrentMap<Key, Object> of(int entities) {
    return Caffeine.newBuilder()
        .maximumSize(entities)
        .expireAfterWrite(Duration.ofMinutes(10))
        .<Key, Object>build()
        .asMap();
  }
}
