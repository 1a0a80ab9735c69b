package dev.tidemark;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a read that requires a message: the entity, or the answer that the entity has not
 * seen the message yet.
 *
 * @param <T> the entity's type
 */
public sealed interface Freshness<T> {
  /**
   * Whether the entity has seen the message.
   *
   * @return true for {@link Fresh}
   */
  default boolean isFresh() {
    return this instanceof Fresh;
  }

  /**
   * The entity that has seen the message.
   *
   * @return empty if it has not seen it yet, or was deleted; {@link #isFresh()} tells which
   */
  default Optional<T> entity() {
    return Optional.empty();
  }

  /**
   * The message was applied, or can no longer be; the entity is at least that new.
   *
   * @param <T> the entity's type
   * @param entityOrNull see {@link #entity()}
   */
  record Fresh<T>(@Nullable T entityOrNull) implements Freshness<T> {
    /**
     * The entity.
     *
     * @return empty if it was deleted
     */
    @Override
    public Optional<T> entity() {
      return Optional.ofNullable(entityOrNull);
    }

    @Override
    public String toString() {
      return "Fresh[]";
    }
  }

  /**
   * The message has not been applied.
   *
   * @param <T> the entity's type
   * @param markOrNull see {@link #mark()}
   */
  record NotYet<T>(@Nullable Mark markOrNull) implements Freshness<T> {
    /**
     * How far the entity is with the event's source.
     *
     * @return empty for a message ID, or if nothing of the source was applied
     */
    public Optional<Mark> mark() {
      return Optional.ofNullable(markOrNull);
    }
  }
}
