package dev.tidemark.execution;

/**
 * The effect of one step of a {@link Work}.
 *
 * @param <R> the result's type
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface StepEffect<R, X extends Exception> {
  /**
   * Brings it about.
   *
   * @param downstreamKey the same for this step of this key at every attempt, to hand on as an
   *     idempotency key
   * @return the result, which is stored; not null
   * @throws X as it likes; the step is in doubt then
   */
  R act(String downstreamKey) throws X;
}
