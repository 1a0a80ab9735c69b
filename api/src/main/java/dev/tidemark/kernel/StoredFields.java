package dev.tidemark.kernel;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.store.StoredMap;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stored fields, each asked for as what it should be. One that is something else is refused, and
 * one that is missing has the value that stands for it.
 */
public final class StoredFields {
  private final String what;
  private final Map<?, ?> fields;

  /**
   * Fields of a record.
   *
   * @param what the record, for the texts of faults
   * @param fields as they were stored
   */
  public StoredFields(String what, Map<?, ?> fields) {
    this.what = what;
    this.fields = fields;
  }

  /**
   * A text.
   *
   * @param name of the field
   * @return empty if there is none
   */
  public String text(String name) {
    String text = textIfThere(name);
    return text == null ? "" : text;
  }

  /**
   * A text that no record is without.
   *
   * @param name of the field
   * @return not empty
   */
  public String required(String name) {
    String text = text(name);
    if (text.isEmpty()) {
      throw corrupt(name, "missing or empty", "a text");
    }
    return text;
  }

  /**
   * A text that may be missing.
   *
   * @param name of the field
   * @return null if there is none
   */
  public @Nullable String textIfThere(String name) {
    return value(name, String.class, "a text");
  }

  /**
   * One of the constants of an enumeration.
   *
   * @param name of the field
   * @param type the enumeration
   * @param <E> the same
   * @return the constant whose name is stored
   */
  public <E extends Enum<E>> E constant(String name, Class<E> type) {
    try {
      return Enum.valueOf(type, text(name));
    } catch (IllegalArgumentException e) {
      throw new CorruptRecordException(
          "'%s' of %s is none that this version knows".formatted(name, what),
          null,
          Faults.silent(e));
    }
  }

  /**
   * A whole number.
   *
   * @param name of the field
   * @return 0 if there is none
   */
  public long number(String name) {
    Long number = value(name, Long.class, "a whole number");
    return number == null ? 0 : number;
  }

  /**
   * A boolean.
   *
   * @param name of the field
   * @return false if there is none
   */
  public boolean flag(String name) {
    return Boolean.TRUE.equals(value(name, Boolean.class, "a boolean"));
  }

  /**
   * A time.
   *
   * @param name of the field
   * @return in seconds since 1970; 0 if there is none
   */
  public long seconds(String name) {
    Instant time = value(name, Instant.class, "a time");
    return time == null ? 0 : time.getEpochSecond();
  }

  /**
   * Named values.
   *
   * @param name of the field
   * @return empty if there are none
   */
  public StoredFields values(String name) {
    return new StoredFields(what, map(name, false));
  }

  /**
   * Named values by their keys. A null in the place of such values is refused: it says as little as
   * any other type what was there.
   *
   * @param name of the field
   * @return in their order; empty if there are none
   */
  public Map<String, StoredFields> each(String name) {
    StoredFields outer = new StoredFields(what, map(name, true));
    Map<String, StoredFields> each = new LinkedHashMap<>();
    for (Object key : outer.fields.keySet()) {
      String inner = (String) key;
      if (outer.fields.get(inner) == null) {
        throw corrupt(name + "." + inner, "null", "a map of values");
      }
      each.put(inner, outer.values(inner));
    }
    return each;
  }

  /** A map of the kind that is asked for, unless the store cannot tell which it is. */
  private Map<?, ?> map(String name, boolean ofMaps) {
    String expected = ofMaps ? "a map of maps" : "a map of values";
    Map<?, ?> map = value(name, Map.class, expected);
    if (map instanceof StoredMap told && told.isOfMaps() != ofMaps) {
      throw corrupt(name, ofMaps ? "a map of values" : "a map of maps", expected);
    }
    return map == null ? Map.of() : map;
  }

  private <T> @Nullable T value(String name, Class<T> type, String expected) {
    Object value = fields.get(name);
    if (value != null && !type.isInstance(value)) {
      throw corrupt(name, "of the type " + value.getClass().getSimpleName(), expected);
    }
    return type.cast(value);
  }

  private CorruptRecordException corrupt(String name, String found, String expected) {
    return new CorruptRecordException(
        "'%s' of %s is %s and not %s: correct the record, or remove it"
            .formatted(name, what, found, expected),
        null,
        null);
  }
}
