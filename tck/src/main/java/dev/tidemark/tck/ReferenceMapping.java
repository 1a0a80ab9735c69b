package dev.tidemark.tck;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes the records of the reference apart, into marks and entities. Stateless. */
final class ReferenceMapping<T> {
  private final ReferenceMapper<T> mapper;
  private final Names names;

  ReferenceMapping(ReferenceMapper<T> mapper, Names names) {
    this.mapper = mapper;
    this.names = names;
  }

  ReferenceMapper<T> mapper() {
    return mapper;
  }

  /** A record with what the judge reads in it; null for no record. */
  ReferenceStored<T> stored(EntityKey key, @Nullable Map<String, Object> record) {
    if (record == null) {
      return new ReferenceStored<>(this, key, Map.of(), false, Map.of(), Found.nothing());
    }
    Map<String, Object> marks = new LinkedHashMap<>();
    Map<String, Object> attributes = new LinkedHashMap<>();
    record.forEach((name, value) -> (names.owns(name) ? marks : attributes).put(name, value));
    boolean deleted = marks.containsKey(names.tombstone());
    T entity = deleted ? null : entityIfMapped(key, attributes);
    Found<T> found = new Found<>(true, marks, entity);
    return new ReferenceStored<>(this, key, record, !deleted, attributes, found);
  }

  /** The entity of some attributes, for whoever needs it. */
  T entity(EntityKey key, Map<String, Object> attributes) {
    try {
      return mapper.entity(key, attributes);
    } catch (Throwable e) { // a mapper's, whatever it throws
      Throwable fault = Faults.silent(Faults.unchecked(e));
      throw new CorruptRecordException(
          "the stored entity cannot be mapped" + misfit(key, attributes), key, fault);
    }
  }

  /** The same for an outcome, which is what it is without the entity, too. */
  private @Nullable T entityIfMapped(EntityKey key, Map<String, Object> attributes) {
    try {
      return entity(key, attributes);
    } catch (CorruptRecordException e) {
      return null;
    }
  }

  /** Names the first attribute that cannot be mapped by itself. */
  private String misfit(EntityKey key, Map<String, Object> attributes) {
    for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
      try {
        mapper.key(mapper.entity(key, Map.ofEntries(attribute)));
      } catch (RuntimeException | Error e) {
        return ": attribute '" + attribute.getKey() + "' does not fit";
      }
    }
    return "";
  }
}
