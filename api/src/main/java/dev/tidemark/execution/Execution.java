package dev.tidemark.execution;

import java.time.Duration;
import java.util.Optional;

/**
 * What came of one call for an idempotency key.
 *
 * @param <R> the result's type
 */
public sealed interface Execution<R> {
  /**
   * The work ran in this call, and its result is stored.
   *
   * @param value what it returned
   * @param <R> the result's type
   */
  record Executed<R>(R value) implements Execution<R> {
    /** Leaves out the value. */
    @Override
    public String toString() {
      return "Executed[]";
    }
  }

  /**
   * The work had run before, and this is what it returned then.
   *
   * @param value read from what was stored
   * @param <R> the result's type
   */
  record Replayed<R>(R value) implements Execution<R> {
    /** Leaves out the value. */
    @Override
    public String toString() {
      return "Replayed[]";
    }
  }

  /**
   * Somebody else is at work. Nothing was done here.
   *
   * @param retryAfter how long until its lease ends, if it does not renew it
   * @param <R> the result's type
   */
  record InProgress<R>(Duration retryAfter) implements Execution<R> {}

  /**
   * The key came with another request before. Nothing was done here.
   *
   * @param <R> the result's type
   */
  record KeyReused<R>() implements Execution<R> {}

  /**
   * The work failed for good, now or before, by an exception that the builder's {@code storing}
   * names, or as its {@link Completion} was refused. Where a write of a completion was tried and
   * lands later, the next call finds it, and is {@link Replayed}.
   *
   * @param failure what is stored of it
   * @param replayed whether it failed in an earlier call
   * @param <R> the result's type
   */
  record Failed<R>(StoredFailure failure, boolean replayed) implements Execution<R> {}

  /**
   * The execution waits for a person: a step began and may have acted, or a run ended silently and
   * {@link ExecutionsBuilder#parkingSilentOwners} is set.
   *
   * @param step the step in doubt; empty if it is the work as a whole
   * @param <R> the result's type
   */
  record InDoubt<R>(Optional<String> step) implements Execution<R> {}

  /**
   * Somebody else took the key over while the work ran here: its lease had ended. What the work
   * returned is not stored.
   *
   * @param <R> the result's type
   */
  record LostOwnership<R>() implements Execution<R> {}

  /**
   * The invocation had no time left for the work ({@link Executions#within}). The work did not
   * begin. A claim whose answer came when no time was left is given back; before it nothing is
   * written.
   *
   * @param <R> the result's type
   */
  record NotStarted<R>() implements Execution<R> {}

  /**
   * What the work returned, now or before.
   *
   * @return empty where there is no result
   */
  default Optional<R> result() {
    if (this instanceof Executed<R> executed) {
      return Optional.of(executed.value());
    }
    return this instanceof Replayed<R> replayed ? Optional.of(replayed.value()) : Optional.empty();
  }

  /**
   * What the work returned, now or before. A consumer that does not catch the exception gets its
   * message again.
   *
   * @return the result
   * @throws NotExecutedException if there is none
   */
  default R orElseThrow() {
    return result().orElseThrow(() -> new NotExecutedException(this));
  }

  /**
   * Whether the effect is known to have happened, now or before.
   *
   * @return true for Executed and Replayed
   */
  default boolean isDone() {
    return this instanceof Executed || this instanceof Replayed;
  }
}
