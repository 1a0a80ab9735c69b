package dev.tidemark.marks;

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
 *
 * @param attributes for backends: the attributes that tracking owns, by name; strings, numbers,
 *     {@code ByteBuffer}s, sets and lists of them, or the store's own values
 * @param isWhole whether these are all marks that the entity had when it was read, as far as the
 *     answer tells
 */
public record Marks(Map<String, Object> attributes, boolean isWhole) {
  private static final Marks NONE = new Marks(Map.of(), true);

  /**
   * Copies the attributes.
   *
   * @param attributes the attributes that tracking owns, by name
   * @param isWhole whether these are all marks that the entity had when it was read
   */
  public Marks {
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  /**
   * What a new entity remembers. A write of a whole entity that has null instead is refused.
   *
   * @return no marks
   */
  public static Marks none() {
    return NONE;
  }

  /**
   * For backends: the attributes that tracking owns, by name.
   *
   * @param attributes strings, numbers, {@code ByteBuffer}s, sets and lists of them, or the store's
   *     own values
   * @return the marks
   */
  public static Marks of(Map<String, Object> attributes) {
    return attributes.isEmpty() ? NONE : new Marks(attributes, true);
  }

  /**
   * For backends: the marks in an answer that may have left some out, as a projection does. A write
   * of the whole entity would erase the others, and is refused.
   *
   * @param attributes as for {@link #of}
   * @return partial marks
   */
  public static Marks partial(Map<String, Object> attributes) {
    return new Marks(attributes, false);
  }

  /** Tells how many attributes there are, not what they hold. */
  @Override
  public String toString() {
    return "Marks[" + attributes.size() + " attributes" + (isWhole ? "]" : ", partial]");
  }
}
