package dev.tidemark.execution;

import dev.tidemark.kernel.Misuse;

/**
 * The named steps of a {@link Work}, each of which a later run skips once it is done. A skipped
 * step returns its stored result. Each step costs one write, before its effect: the write records
 * that the step begins, stores the results of the steps before it, and renews the lease.
 *
 * <p>No step can be named {@code !completion}: by that name a record tells of a {@link Completion}.
 *
 * <p>A step must not run in a transaction that Spring holds open: it would count as done where the
 * transaction is rolled back. Such a step throws {@link IllegalStateException}, and does not act. A
 * step may open and end transactions of its own.
 *
 * <p>For the thread of the work alone. Every method throws {@link ExecutionStoppedException} where
 * the work must stop.
 */
public interface Steps {
  /**
   * One effect of the work. Where an earlier run began it and left no result, it waits for a
   * person, as {@link Doubt#park()} says.
   *
   * @param name not used for another step of this work; without half of a surrogate pair
   * @param type of the result, by which it is stored and read back
   * @param effect what to do
   * @param <R> the result's type
   * @param <X> what the effect may throw
   * @return the result, of this run or of an earlier one
   * @throws X what the effect threw; the step is in doubt then
   * @throws IllegalArgumentException as in {@link #step(String, Class, Doubt, StepEffect)}
   * @throws IllegalStateException as there
   */
  default <R, X extends Exception> R step(
      String name, Class<R> type, StepEffect<? extends R, X> effect) throws X {
    return step(name, type, Doubt.park(), effect);
  }

  /**
   * One effect of the work.
   *
   * @param name not used for another step of this work; without half of a surrogate pair. A step
   *     that threw does not run again under its name in the same run: let the effect try again
   * @param type of the result, by which it is stored and read back
   * @param doubt what to do where an earlier run began the step and left no result
   * @param effect what to do
   * @param <R> the result's type
   * @param <X> what the effect may throw
   * @return the result, of this run or of an earlier one
   * @throws X what the effect threw; the step is in doubt then
   * @throws IllegalArgumentException if the name is missing, empty, {@code !completion} or that of
   *     another step of this run, or if the type cannot be read: the effect does not act. If the
   *     result cannot be written, as a future cannot, the key waits for a person
   * @throws IllegalStateException if the effect, or the probe of the doubt, gave null; the step is
   *     in doubt then
   */
  <R, X extends Exception> R step(
      String name, Class<R> type, Doubt<R> doubt, StepEffect<? extends R, X> effect) throws X;

  /**
   * An effect of the work that has no result.
   *
   * @param name not used for another step of this work; without half of a surrogate pair
   * @param effect what to do
   * @param <X> what the effect may throw
   * @throws X what the effect threw; the step is in doubt then
   */
  default <X extends Exception> void act(String name, PlainEffect<X> effect) throws X {
    act(name, Doubt.park(), effect);
  }

  /**
   * An effect of the work that has no result.
   *
   * @param name not used for another step of this work; without half of a surrogate pair
   * @param doubt what to do where an earlier run began the step and did not end it; a probe that
   *     finds it done gives true, and false means the same as none
   * @param effect what to do
   * @param <X> what the effect may throw
   * @throws X what the effect threw; the step is in doubt then
   */
  default <X extends Exception> void act(String name, Doubt<Boolean> doubt, PlainEffect<X> effect)
      throws X {
    Misuse.given("effect", effect);
    Boolean unused =
        step(
            name,
            Boolean.class,
            Misuse.given("doubt", doubt).where(name, acted -> acted),
            downstreamKey -> {
              effect.act(downstreamKey);
              return true;
            });
  }

  /**
   * An effect without a result.
   *
   * @param <X> what it may throw
   */
  @FunctionalInterface
  interface PlainEffect<X extends Exception> {
    /**
     * Brings it about, before it returns: what it leaves to another thread is not waited for.
     *
     * @param downstreamKey the same for this step of this key at every attempt
     * @throws X as it likes; the step is in doubt then
     */
    void act(String downstreamKey) throws X;
  }

  /**
   * Renews the lease, and stores the results of the steps so far: one write, and more only where
   * the answer took longer than half of the lease.
   */
  void renew();

  /**
   * The fencing number of this claim, which rises with every claim of the key while its record is
   * kept: for stores that refuse a lower number than they have seen.
   *
   * <p>The number is at least the time of the claim in milliseconds since 1970, by the clock of the
   * records. So it rises beyond a record that was forgotten too, if more time lies between the two
   * claims than their clocks differ by. {@link Executions#forget} soon after a claim may be
   * followed by a lower number where clocks differ.
   *
   * @return more than any earlier owner had, as far as the key is remembered
   */
  long fence();

  /**
   * The key that a step hands on: the first 16 bytes of the SHA-256 of scope, key and step's name,
   * as 32 hexadecimal digits.
   *
   * @param name the step's name
   * @return the same at every attempt
   */
  String downstreamKey(String name);
}
