package dev.tidemark.kernel;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of one {@link Request}.
 *
 * @param <T> the entity's type
 */
public sealed interface Reply<T> {
  /**
   * It was carried out.
   *
   * @param created whether it is seen to have created the entity
   * @param entity the entity after it, where it is at hand
   * @param marks the marks after it by flat name, as far as they are known
   * @param sources how many sources have marks after it; -1 if it is not known
   * @param <T> the entity's type
   */
  record Accepted<T>(boolean created, @Nullable T entity, Map<String, Object> marks, int sources)
      implements Reply<T> {}

  /**
   * A condition was false, and nothing was written.
   *
   * @param stored what refused it; null if it has to be read
   * @param ruled whether the caller's rule is false of that record, as the store says; null if it
   *     says nothing. Whether the rule refused the write, the run decides
   * @param <T> the entity's type
   */
  record Refused<T>(@Nullable Stored<T> stored, @Nullable Boolean ruled) implements Reply<T> {}

  /**
   * The store did not carry it out, and may if it is asked again.
   *
   * @param cost how many tries it stands for
   * @param error what the store said
   * @param <T> the entity's type
   */
  record Busy<T>(int cost, @Nullable Throwable error) implements Reply<T> {}

  /**
   * No answer came: it may have been carried out.
   *
   * @param again whether the caller wants another try
   * @param error what ended the wait
   * @param <T> the entity's type
   */
  record Lost<T>(boolean again, @Nullable Throwable error) implements Reply<T> {}

  /**
   * It cannot be carried out, and nothing was written.
   *
   * @param fault what a call of one message would throw
   * @param mayBeOfOne whether other messages of the request may do without it
   * @param <T> the entity's type
   */
  record Fault<T>(RuntimeException fault, boolean mayBeOfOne) implements Reply<T> {}
}
