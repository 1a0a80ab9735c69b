package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.EntityUpdate;
import org.jspecify.annotations.Nullable;

/** An update that a backend has put into a form of its own, as a {@link Run} has to know it. */
public interface OwnUpdate extends EntityUpdate {
  /**
   * Whether a rule of the caller's can refuse it.
   *
   * @return false if only marks and existence can
   */
  boolean hasRule();

  /**
   * The rule of the caller's, as far as it is a portable one.
   *
   * @return null if there is none
   */
  default @Nullable Condition rule() {
    return null;
  }

  /**
   * Whether a rule of the caller's is in the store's own words, so that only the store can tell
   * whether it is true.
   *
   * @return by default, of every update that has a rule
   */
  default boolean hasOwnRule() {
    return hasRule();
  }

  /**
   * Whether it may be written by who has not read.
   *
   * @return true by default
   */
  default boolean goesBlindly() {
    return true;
  }

  /**
   * Whether it changes nothing of an entity that is there, but for its marks.
   *
   * @return whether its message is only recorded
   */
  boolean recordsOnly();

  /**
   * This update and the next as one that does the same to every entity that takes both. Only asked
   * of updates without a rule.
   *
   * @param next made right after this one
   * @return with the rules of this one, and what either returns; null if they cannot be one
   */
  default @Nullable OwnUpdate then(OwnUpdate next) {
    return null;
  }
}
