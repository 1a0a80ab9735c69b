package dev.tidemark.kernel;

import org.jspecify.annotations.Nullable;

/**
 * What a backend found under a key, in its own form.
 *
 * @param <T> the entity's type
 */
public interface Stored<T> {
  /**
   * The same as the judge reads it, with the marks that concern any message of the run.
   *
   * @return the record
   */
  Found<T> found();

  /**
   * What calls functions on the entity.
   *
   * @return new each time, with no function called
   */
  FoldedFunctions<T> functions();

  /**
   * Whether the marks of other sources were left out, so that a new source cannot be counted.
   *
   * @return false where all marks are there
   */
  default boolean isPartial() {
    return false;
  }

  /**
   * Whether the caller's rule is false over this record. Only asked of a live entity.
   *
   * @param effect has the rule, if any
   * @return null if only the store can tell
   */
  default @Nullable Boolean refuses(Effect<T> effect) {
    return null;
  }

  /**
   * Whether this record is such that a blind write passes all that the store requires of it beside
   * marks, existence and the caller's rule: the shape that a change needs.
   *
   * @param effect has a rule, and was refused
   * @return false if that is not known
   */
  default boolean fits(Effect<T> effect) {
    return false;
  }
}
