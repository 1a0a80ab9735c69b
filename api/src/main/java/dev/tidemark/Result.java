package dev.tidemark;

import java.util.Optional;

/**
 * What became of one delivery of a batch.
 *
 * @param <T> the entity's type
 */
public sealed interface Result<T> {
  /**
   * May the delivery be acknowledged? True for Done if its outcome says so; false for the others.
   *
   * @return whether a redelivery would serve nothing
   */
  boolean isDone();

  /**
   * What the delivery did.
   *
   * @return empty unless it is {@link Done}
   */
  default Optional<Outcome<T>> outcomeIfDone() {
    return this instanceof Done<T> done ? Optional.of(done.outcome()) : Optional.empty();
  }

  /**
   * The delivery has an outcome, the same as if it had been handled by itself. The outcome's
   * entity, where it has one, is as the whole batch left it.
   *
   * @param outcome what it did; may be one that is not to be acknowledged, a gap for example
   * @param <T> the entity's type
   */
  record Done<T>(Outcome<T> outcome) implements Result<T> {
    @Override
    public boolean isDone() {
      return outcome.isDone();
    }
  }

  /**
   * The delivery has no outcome; handling it by itself would have thrown this.
   *
   * @param fault a {@link TidemarkException}, what a function of the caller's threw, or an error of
   *     the store's client; if it is an {@link OutcomeUnknownException}, whether the message was
   *     applied is not known, else nothing of it was written
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
   * The delivery was not tried, since one that comes before it is not done: in its source and for
   * its entity, where applying this one would lose that one, or could not succeed; or in its lane,
   * where the projector keeps {@linkplain Projector.Builder#inLaneOrder() the lane's order}.
   * Deliver it again with that one.
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
