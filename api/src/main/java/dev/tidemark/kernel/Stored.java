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
   * Whether the caller's rule of a request that was refused is false over this record.
   *
   * @param refused has a rule
   * @return null if only the refusal tells
   */
  default @Nullable Boolean refusesRuleOf(Request<T> refused) {
    return null;
  }
}
