package dev.tidemark.execution;

/**
 * The work that {@link Executions} does once per key.
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
   * @return the result, which is stored; not null
   * @throws X as it likes; unless the exception's class is one that is stored, the key is free
   *     again
   */
  R run(Steps steps) throws X;
}
