package dev.tidemark.tck;

import dev.tidemark.EntityKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records in memory, replaced one at a time and only if they are still what was read. Safe for use
 * by many threads.
 */
final class ReferenceTable {
  private final ConcurrentHashMap<List<Object>, Map<String, Object>> records =
      new ConcurrentHashMap<>();

  /** The record under a key; null if there is none. */
  @Nullable Map<String, Object> read(EntityKey key) {
    return records.get(key.parts());
  }

  /** The keys of all records. */
  List<EntityKey> keys() {
    return records.keySet().stream().map(parts -> new EntityKey(parts, Map.of())).toList();
  }

  void put(EntityKey key, Map<String, Object> record) {
    records.put(key.parts(), record);
  }

  /**
   * Replaces a record if it is the one that was read.
   *
   * @param before what was read; null for no record
   * @param after null to delete it
   * @return false if another write came between
   */
  boolean replace(
      EntityKey key, @Nullable Map<String, Object> before, @Nullable Map<String, Object> after) {
    boolean[] replaced = {false};
    records.compute(
        key.parts(),
        (parts, stored) -> {
          replaced[0] = stored == before;
          return replaced[0] ? after : stored;
        });
    return replaced[0];
  }
}
