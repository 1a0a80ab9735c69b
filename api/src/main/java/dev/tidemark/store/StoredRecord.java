package dev.tidemark.store;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record as a store has it. Fields come back as the types in which {@link ConditionalWrite} takes
 * them; a null counts as a missing field, and stays a null within a map. A store that keeps maps of
 * values and maps of maps in different forms gives a {@link StoredMap}. What is of any other type
 * comes back as the store's own value, which whoever reads the field refuses by a {@link
 * dev.tidemark.CorruptRecordException}. {@code revision} comes back as a text or as the store's own
 * value, so that a {@link Guard.Unchanged} can name whatever is there.
 *
 * @param key the record's key
 * @param fields the other fields, by name
 */
public record StoredRecord(String key, Map<String, Object> fields) {
  /** What guards a record: a text, new with every write, and never used again. */
  public static final String REVISION = "revision";

  /**
   * The partition of the index in which the record is, a text; without it the record is in none.
   */
  public static final String PENDING = "pending";

  /** The order within a partition of the index, a number. */
  public static final String LEASE_END = "leaseEnd";

  /** The time from which on the store may remove the record. */
  public static final String EXPIRES = "expires";

  /**
   * Copies the fields.
   *
   * @param key the record's key
   * @param fields the other fields, by name
   */
  public StoredRecord {
    Objects.requireNonNull(key, "key");
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /**
   * What a guard has to name to replace or remove this record.
   *
   * @return a text, or the store's own value; null if there is none
   */
  public @Nullable Object revision() {
    return fields.get(REVISION);
  }

  /** Tells the names of the fields, and neither the key nor a value. */
  @Override
  public String toString() {
    return "StoredRecord" + fields.keySet();
  }
}
