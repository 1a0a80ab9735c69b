package dev.tidemark.store;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map of a stored record, of which the store knows whether it is one of values or one of maps. A
 * store gives it that keeps the two in different forms, such as documents and arrays, so that
 * neither is read as the other, be it empty. A store that keeps both in one form gives plain maps.
 * Cannot be changed, and is safe for use by many threads unless its values are changed.
 */
public final class StoredMap extends AbstractMap<String, @Nullable Object> {
  private final Map<String, @Nullable Object> entries;
  private final boolean isOfMaps;

  private StoredMap(Map<String, ?> entries, boolean isOfMaps) {
    this.entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    this.isOfMaps = isOfMaps;
  }

  /**
   * A map of named values.
   *
   * @param values in their order
   * @return a copy
   */
  public static StoredMap ofValues(Map<String, ?> values) {
    return new StoredMap(values, false);
  }

  /**
   * A map of maps.
   *
   * @param maps in their order
   * @return a copy
   */
  public static StoredMap ofMaps(Map<String, ?> maps) {
    return new StoredMap(maps, true);
  }

  /**
   * Which of the two it is.
   *
   * @return false of a map of values
   */
  public boolean isOfMaps() {
    return isOfMaps;
  }

  @Override
  public Set<Map.Entry<String, @Nullable Object>> entrySet() {
    return entries.entrySet();
  }

  /** Tells the names, and no value. */
  @Override
  public String toString() {
    return "StoredMap" + keySet();
  }
}
