package dev.tidemark.kernel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Run} wants next.
 *
 * @param <T> the entity's type
 */
public sealed interface Step<T> {
  /**
   * A read of the record, consistent, which is told to {@link Run#found} or {@link Run#unread}.
   *
   * @param refused the request that was refused by what is read; null if there was none
   * @param <T> the entity's type
   */
  record Read<T>(@Nullable Request<T> refused) implements Step<T> {}

  /**
   * A write, whose reply is told to {@link Run#on}.
   *
   * @param request the write
   * @param <T> the entity's type
   */
  record Send<T>(Request<T> request) implements Step<T> {}

  /**
   * Nothing for a while.
   *
   * @param time how long
   * @param <T> the entity's type
   */
  record Pause<T>(Duration time) implements Step<T> {}

  /**
   * Room for others: the store has refused work for too long.
   *
   * @param <T> the entity's type
   */
  record Yield<T>() implements Step<T> {}

  /**
   * Nothing more: every write has a result.
   *
   * @param <T> the entity's type
   */
  record Done<T>() implements Step<T> {}
}
