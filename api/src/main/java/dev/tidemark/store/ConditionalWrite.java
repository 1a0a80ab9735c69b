package dev.tidemark.store;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record that is to be stored or removed as a whole, under a condition.
 *
 * <p>Names of fields are letters, and not {@code key}. Values are of these types:
 *
 * <ul>
 *   <li>{@link String}, {@link Long} and {@link Boolean};
 *   <li>{@link java.time.Instant} of whole seconds, in {@link StoredRecord#EXPIRES} and there
 *       alone, since a store's time to live may know no other form of a time;
 *   <li>a map of named values: names as of fields, to the types of the first line;
 *   <li>a map of such maps, which keeps its order, and whose keys are any texts that are not empty.
 *       A store may keep order and keys inside the inner maps, under the names {@code order} and
 *       {@code name}, which no inner map has therefore. An empty map is one of values: a map of
 *       maps that is empty is left out.
 * </ul>
 *
 * <p>{@link StoredRecord#REVISION} is always there; {@link StoredRecord#PENDING} is a text, and
 * {@link StoredRecord#LEASE_END} a number.
 *
 * @param key the record's key
 * @param guard what must be stored
 * @param fields what to store; null to remove what is there
 */
public record ConditionalWrite(String key, Guard guard, @Nullable Map<String, Object> fields) {
  /**
   * Copies and checks the fields.
   *
   * @param key the record's key
   * @param guard what must be stored
   * @param fields what to store; null to remove what is there
   * @throws IllegalArgumentException if a field has a name or a value that not every store takes,
   *     or if what is not there is to be removed
   */
  public ConditionalWrite {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(guard, "guard"); // a store would take it for none
    if (fields != null) {
      fields = Fields.checked(fields);
    } else if (guard instanceof Guard.Absent) {
      throw new IllegalArgumentException("a record that is not there cannot be removed");
    }
  }

  /**
   * Stores a record where there is none.
   *
   * @param key the record's key
   * @param fields what to store
   * @return the write
   */
  public static ConditionalWrite create(String key, Map<String, Object> fields) {
    return new ConditionalWrite(key, new Guard.Absent(), fields);
  }

  /**
   * Stores a record in place of the one that was read.
   *
   * @param key the record's key
   * @param revision of what was read
   * @param fields what to store
   * @return the write
   */
  public static ConditionalWrite replace(
      String key, @Nullable Object revision, Map<String, Object> fields) {
    return new ConditionalWrite(key, new Guard.Unchanged(revision), fields);
  }

  /**
   * Removes the record that was read.
   *
   * @param key the record's key
   * @param revision of what was read
   * @return the write
   */
  public static ConditionalWrite remove(String key, @Nullable Object revision) {
    return new ConditionalWrite(key, new Guard.Unchanged(revision), null);
  }

  /** Tells the names of the fields, and neither the key nor a value. */
  @Override
  public String toString() {
    return "ConditionalWrite[" + guard + ", " + (fields == null ? "none" : fields.keySet()) + "]";
  }
}
