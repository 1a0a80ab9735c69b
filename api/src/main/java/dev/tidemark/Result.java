package dev.tidemark;

import java.util.Optional;

/**
 * What became of one delivery of a batch.
 *
 * @param <T> the entity's type
 */
public sealed interface Result<T> {
  /**
   * May the delivery be acknowledged? True for Judged if its outcome says so; false for the others.
   *
   * @return whether a redelivery would serve nothing
   */
  boolean isDone();

  /**
   * What the delivery did.
   *
   * @return empty unless it is {@link Judged}
   */
  default Optional<Outcome<T>> outcomeIfJudged() {
    return this instanceof Judged<T> judged ? Optional.of(judged.outcome()) : Optional.empty();
  }

  /**
   * The delivery has an outcome, the same as if it had been handled by itself. That outcome need
   * not be done: a gap is judged too. Its entity, where it has one, is as the whole batch left it.
   *
   * @param outcome what the delivery did
   * @param <T> the entity's type
   */
  record Judged<T>(Outcome<T> outcome) implements Result<T> {
    @Override
    public boolean isDone() {
      return outcome.isDone();
    }
  }

  /**
   * The delivery has no outcome; handling it by itself would have thrown this.
   *
   * @param fault a {@link TidemarkException}, what a function or a codec of the caller's threw
   *     (what is no {@link RuntimeException}, such as an {@link AssertionError}, is the cause of an
   *     {@link java.lang.reflect.UndeclaredThrowableException}; only a failure of the JVM, such as
   *     an {@link OutOfMemoryError}, ends the call), or an error of the store's client; if it is an
   *     {@link OutcomeUnknownException}, whether the message was applied is not known, else nothing
   *     of it was written
   * @param <T> the entity's type
   */
  record Failed<T>(RuntimeException fault) implements Result<T> {
    @Override
    public boolean isDone() {
      return false;
    }

    /**
     * Names the fault's class, and says what a {@link TidemarkException} says. Messages of others
     * are left out: they may quote values.
     */
    @Override
    public String toString() {
      String said = fault instanceof TidemarkException ? ": " + fault.getMessage() : "";
      return "Failed[" + fault.getClass().getSimpleName() + said + "]";
    }
  }

  /**
   * The delivery was not tried, since an earlier delivery is not done. Either both are of the same
   * source and entity, and applying this delivery would lose the earlier one or could not succeed.
   * Or both are in the same lane, and the projector keeps {@linkplain
   * dev.tidemark.projector.ProjectorBuilder#inLaneOrder() the lane's order}. Deliver both again.
   *
   * @param behind the message that it waits for
   * @param <T> the entity's type
   */
  record HeldBack<T>(Message behind) implements Result<T> {
    @Override
    public boolean isDone() {
      return false;
    }
  }
}
