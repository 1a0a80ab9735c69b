package dev.tidemark;

import java.util.List;

/**
 * What a function over an entity makes of a message, for functions that may refuse: {@code
 * orders.decide(message, key, view -> view.isOpen() ? Decision.to(view.paid(25)) :
 * Decision.refuse())}. A refusal is the function's own rule, as {@link Change#onlyIf} is that of a
 * change: the outcome is {@link Outcome.Refused}, and the entity stays as it was found, also where
 * the function has changed the object that it got.
 *
 * @param <T> the entity's type
 */
public sealed interface Decision<T> {

  /**
   * The entity becomes this.
   *
   * @param entity the new entity; an equal one records the message alone, unless it publishes
   * @param published the messages that leave because of it, in order
   * @param <T> the entity's type
   */
  record To<T>(T entity, List<OutgoingMessage> published) implements Decision<T> {
    /**
     * Checks that there is an entity.
     *
     * @param entity the new entity
     * @param published the messages that leave because of it
     * @throws IllegalArgumentException if it is null
     */
    public To {
      if (entity == null) {
        throw new IllegalArgumentException(
            "the function must not return null; return the entity as it was to change nothing");
      }
      published = List.copyOf(published);
    }

    /** Names the class, never a value. */
    @Override
    public String toString() {
      return "To[" + entity.getClass().getSimpleName() + "]";
    }
  }

  /**
   * The entity stays as it is.
   *
   * @param recorded whether the message is recorded all the same, so that its redelivery is a
   *     duplicate; on an existing entity only
   * @param <T> the entity's type
   */
  record Refuse<T>(boolean recorded) implements Decision<T> {}

  /**
   * Changes the entity, and publishes messages as {@link Change#publish(OutgoingMessage)} does.
   *
   * @param entity the new entity, not null
   * @param published the messages that leave because of it, in order
   * @param <T> the entity's type
   * @return the decision
   */
  static <T> Decision<T> to(T entity, OutgoingMessage... published) {
    return new To<>(entity, List.of(published));
  }

  /**
   * Refuses the message and remembers nothing of it: the delivery is not done, and is decided again
   * when it comes again. In a dense source, or a window that is full, what follows it waits for it.
   *
   * @param <T> the entity's type
   * @return the decision
   */
  static <T> Decision<T> refuse() {
    return new Refuse<>(false);
  }

  /**
   * Refuses the message and records it, as {@link Change#otherwiseSkip()} does: the delivery is
   * done, and a source goes on. Where there is no entity nothing is recorded.
   *
   * @param <T> the entity's type
   * @return the decision
   */
  static <T> Decision<T> skip() {
    return new Refuse<>(true);
  }
}
