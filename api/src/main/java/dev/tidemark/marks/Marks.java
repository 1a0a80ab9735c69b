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
 */
public final class Marks {
  private static final Marks NONE = new Marks(Map.of(), true);

  private final Map<String, Object> attributes;
  private final boolean whole;

  private Marks(Map<String, Object> attributes, boolean whole) {
    this.attributes = attributes;
    this.whole = whole;
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
    return attributes.isEmpty() ? NONE : new Marks(copy(attributes), true);
  }

  /**
   * For backends: the marks in an answer that may have left some out, as a projection does. A write
   * of the whole entity would erase the others, and is refused.
   *
   * @param attributes as for {@link #of}
   * @return partial marks
   */
  public static Marks partial(Map<String, Object> attributes) {
    return new Marks(copy(attributes), false);
  }

  private static Map<String, Object> copy(Map<String, Object> attributes) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  /**
   * Whether these are all marks that the entity had when it was read, as far as the answer tells.
   *
   * @return false for partial marks
   */
  public boolean isWhole() {
    return whole;
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
    return other instanceof Marks marks
        && marks.whole == whole
        && marks.attributes.equals(attributes);
  }

  @Override
  public int hashCode() {
    return attributes.hashCode();
  }

  /** Tells how many attributes there are, not what they hold. */
  @Override
  public String toString() {
    return "Marks[" + attributes.size() + " attributes" + (whole ? "]" : ", partial]");
  }
}
