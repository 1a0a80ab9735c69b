package dev.tidemark.benchmarks.measure;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tidemark.EntityKey;
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
  public static ConcurrentMap<EntityKey, Object> of(int entities) {
    return Caffeine.newBuilder()
        .maximumSize(entities)
        .expireAfterWrite(Duration.ofMinutes(10))
        .<EntityKey, Object>build()
        .asMap();
  }
}
