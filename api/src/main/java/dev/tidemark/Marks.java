package dev.tidemark;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that an entity remembers of its messages, with its revision, as one property of the entity's
 * class: so a user's own read, followed by a write of the whole entity, keeps them. Opaque;
 * backends give it meaning. A write of the whole entity must be conditional on the revision that
 * was read, else it is a lost update.
 *
 * <p>Equal if what is remembered is equal.
 */
public final class Marks {
  private static final Marks NONE = new Marks(Map.of());

  private final Map<String, Object> attributes;

  private Marks(Map<String, Object> attributes) {
    this.attributes = attributes;
  }

  /**
   * What a new entity remembers.
   *
   * @return no marks
   */
  public static Marks none() {
    return NONE;
  }

  /**
   * For backends: the attributes that tracking owns, by name.
   *
   * @param attributes strings, numbers, {@code ByteBuffer}s, sets and lists of them
   * @return the marks
   */
  public static Marks of(Map<String, Object> attributes) {
    return attributes.isEmpty()
        ? NONE
        : new Marks(Collections.unmodifiableMap(new LinkedHashMap<>(attributes)));
  }

  /**
   * For backends: the attributes that tracking owns, by name.
   *
   * @return unmodifiable
   */
  public Map<String, Object> attributes() {
    return attributes;
  }

  @Override
  public boolean equals(@org.jspecify.annotations.Nullable Object other) {
    return other instanceof Marks marks && marks.attributes.equals(attributes);
  }

  @Override
  public int hashCode() {
    return attributes.hashCode();
  }

  /** Tells how many attributes there are, not what they hold. */
  @Override
  public String toString() {
    return "Marks[" + attributes.size() + " attributes]";
  }
}
