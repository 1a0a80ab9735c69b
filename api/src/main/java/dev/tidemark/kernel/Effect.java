package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.EntityUpdate.Rules;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Request} does to the record, beside its marks.
 *
 * @param <T> the entity's type
 */
public sealed interface Effect<T> {
  /**
   * A portable change: its operations, the caller's rule, and what it does with absent and deleted
   * entities.
   *
   * @param change what to change
   * @param <T> the entity's type
   */
  record Changes<T>(Change change) implements Effect<T> {}

  /**
   * A change in the store's own words.
   *
   * @param update the backend's own
   * @param <T> the entity's type
   */
  record Own<T>(OwnUpdate update) implements Effect<T> {}

  /**
   * What functions made of the entity that was read.
   *
   * @param functions has called them
   * @param <T> the entity's type
   */
  record Called<T>(FoldedFunctions<T> functions) implements Effect<T> {}

  /**
   * Nothing: the messages are recorded, and the record stays what it is, be it a tombstone.
   *
   * @param refused the change that the caller's rule refused, whose settings the request keeps;
   *     null if there are none
   * @param <T> the entity's type
   */
  record Nothing<T>(@Nullable Own<T> refused) implements Effect<T> {}

  /**
   * A tombstone in the entity's place.
   *
   * @param rules whether an absent entity gets one too
   * @param <T> the entity's type
   */
  record Tombstone<T>(Rules rules) implements Effect<T> {}

  /**
   * Nothing in the record's place.
   *
   * @param <T> the entity's type
   */
  record Removal<T>() implements Effect<T> {}

  /**
   * No mark, but the {@link Revision} as text, so that whoever writes next has to count the
   * sources. What comes of it is not asked.
   *
   * @param <T> the entity's type
   */
  record Flag<T>() implements Effect<T> {}
}
