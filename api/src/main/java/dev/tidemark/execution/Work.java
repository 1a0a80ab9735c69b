package dev.tidemark.execution;

import org.jspecify.annotations.Nullable;

/**
 * What is to be done once per key.
 *
 * @param <R> the result's type
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface Work<R, X extends Exception> {
  /**
   * Does it.
   *
   * @param steps names its effects, and knows its fence
   * @return the result, which is stored; may be null
   * @throws X as it likes; unless the exception's class is one that is stored, the key is free
   *     again
   */
  @Nullable R run(Steps steps) throws X;
}
