package dev.tidemark;

import java.util.List;

/**
 * The answer of a function that may refuse a message: {@code orders.decide(message, key, view ->
 * view.isOpen() ? Decision.to(view.paid(25)) : Decision.refuse())}. A function refuses by its own
 * rule, as a change does by {@link Change#onlyIf}. The outcome is then {@link Outcome.Refused}, and
 * the entity stays as it was found, even if the function has changed the object that it was given.
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
   * Refuses the message without recording it. The delivery is not done, and the function decides
   * again when the message comes again. In a dense source, or in a full window, later events wait
   * for this one.
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
