package dev.tidemark.tck;

import dev.tidemark.EntityKey;
import dev.tidemark.kernel.FoldedFunctions;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Stored;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under a key.
 *
 * @param mapping maps it
 * @param key the key
 * @param record the whole record; empty if there is none
 * @param isLive whether there is an entity, be it one that cannot be mapped
 * @param attributes the entity's part of it
 * @param found the same as the judge reads it
 * @param <T> the entity's type
 */
record ReferenceStored<T>(
    ReferenceMapping<T> mapping,
    EntityKey key,
    Map<String, Object> record,
    boolean isLive,
    Map<String, Object> attributes,
    Found<T> found)
    implements Stored<T> {
  @Override
  public FoldedFunctions<T> functions() {
    return new ReferenceFunctions<>(this);
  }

  /** The entity, for whoever needs it; null if there is none, or a tombstone. */
  @Nullable T entity() {
    return isLive() ? mapping.entity(key, attributes) : null;
  }
}
