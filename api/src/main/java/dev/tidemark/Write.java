package dev.tidemark;

import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.kernel.Text;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What one message does to one entity, as data: for {@link EntityStore#write}, or together with
 * others for {@link EntityStore#writeAll}.
 *
 * <pre>{@code
 * orders.writeAll(
 *     List.of(
 *         Write.update(placed, key("4711"), change().createIfMissing().set("status", "PLACED")),
 *         Write.update(paid, key("4711"), change().add("total", 25))));
 * }</pre>
 *
 * @param message the identity of the delivery
 * @param key the entity
 * @param action what is done to it
 * @param laneOrNull see {@link #lane()}
 * @param <T> the entity's type
 */
public record Write<T>(
    Message message, EntityKey key, Action<T> action, @Nullable String laneOrNull) {
  /**
   * Checks that nothing is missing.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param action what is done to it
   * @param laneOrNull see {@link #lane()}
   */
  public Write {
    Text.given("message of a write", message);
    if (key == null || action == null) {
      Text.given("key of the write of " + message, key);
      Text.given("action of the write of " + message, action);
    }
  }

  /**
   * What is done to an entity.
   *
   * @param <T> the entity's type
   */
  public sealed interface Action<T> {
    /**
     * The rules of the action: what the action does with a missing and with a deleted entity, and
     * its other settings apart from what it changes.
     *
     * @return its rules
     */
    Rules rules();

    /**
     * {@link EntityStore#update}.
     *
     * @param update what to change: a portable {@link Change}, or an update in a store's own words
     * @param <T> the entity's type
     */
    record Update<T>(EntityUpdate update) implements Action<T> {
      @Override
      public Rules rules() {
        return update.rules();
      }
    }

    /**
     * {@link EntityStore#decide}, and {@link EntityStore#apply}, whose functions never refuse.
     *
     * @param initialOrNull makes the initial value; null where the entity must exist
     * @param function gives the new entity, or refuses
     * @param <T> the entity's type
     */
    record Apply<T>(@Nullable Supplier<T> initialOrNull, Function<T, Decision<T>> function)
        implements Action<T> {
      /**
       * Checks that there is a function.
       *
       * @param initialOrNull makes the initial value; null where the entity must exist
       * @param function gives the new entity, or refuses
       */
      public Apply {
        Text.given("function", function);
      }

      @Override
      public Rules rules() {
        Rules rules = Rules.defaults().returning();
        return initialOrNull == null ? rules : rules.createIfMissing();
      }

      /**
       * Makes the initial value.
       *
       * @return what the function gets where there is no entity
       * @throws IllegalArgumentException if it is null
       */
      public T initial() {
        T first = Text.given("initial", initialOrNull).get();
        if (first == null) {
          throw new IllegalArgumentException("the initial value must not be null");
        }
        return first;
      }

      /**
       * Calls the function.
       *
       * @param entity the entity, or the initial value
       * @return what it decided
       * @throws IllegalArgumentException if it decided nothing
       */
      public Decision<T> decide(T entity) {
        Decision<T> decision = function.apply(entity);
        if (decision == null) {
          throw new IllegalArgumentException(
              "the function must not return null; return Decision.refuse() to change nothing");
        }
        return decision;
      }
    }

    /**
     * {@link EntityStore#delete}, or {@link EntityStore#deleteExisting}.
     *
     * @param mustExist whether only an existing entity is deleted
     * @param <T> the entity's type
     */
    record Delete<T>(boolean mustExist) implements Action<T> {
      @Override
      public Rules rules() {
        return mustExist ? Rules.defaults() : Rules.defaults().createIfMissing();
      }
    }

    /**
     * {@link EntityStore#forget}.
     *
     * @param <T> the entity's type
     */
    record Forget<T>() implements Action<T> {
      /** A tombstone is forgotten too. */
      @Override
      public Rules rules() {
        return Rules.defaults().recreate();
      }
    }
  }

  /**
   * As {@link EntityStore#update(Message, EntityKey, EntityUpdate)}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param update what to change; by default the entity must exist
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> update(Message message, EntityKey key, EntityUpdate update) {
    if (update == null) {
      throw new IllegalArgumentException("change of the write of " + message + " must not be null");
    }
    return of(message, key, new Action.Update<>(update));
  }

  /**
   * As {@link EntityStore#apply(Message, EntityKey, UnaryOperator)}.
   *
   * @param message the identity of the delivery
   * @param key the entity, which must exist
   * @param function gives the new entity
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> apply(Message message, EntityKey key, UnaryOperator<T> function) {
    Text.given("function", function);
    return decide(message, key, entity -> Decision.to(function.apply(entity)));
  }

  /**
   * As {@link EntityStore#apply(Message, EntityKey, Supplier, UnaryOperator)}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param initial makes the value that the function gets where there is no entity
   * @param function gives the new entity
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> apply(
      Message message, EntityKey key, Supplier<T> initial, UnaryOperator<T> function) {
    Text.given("function", function);
    return decide(message, key, initial, entity -> Decision.to(function.apply(entity)));
  }

  /**
   * As {@link EntityStore#decide(Message, EntityKey, Function)}.
   *
   * @param message the identity of the delivery
   * @param key the entity, which must exist
   * @param function gives the new entity, or refuses
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> decide(
      Message message, EntityKey key, Function<T, Decision<T>> function) {
    Text.given("function", function);
    return of(message, key, new Action.Apply<>(null, function));
  }

  /**
   * As {@link EntityStore#decide(Message, EntityKey, Supplier, Function)}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param initial makes the value that the function gets where there is no entity
   * @param function gives the new entity, or refuses
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> decide(
      Message message, EntityKey key, Supplier<T> initial, Function<T, Decision<T>> function) {
    Text.given("initial", initial);
    Text.given("function", function);
    return of(message, key, new Action.Apply<>(initial, function));
  }

  /**
   * As {@link EntityStore#skip}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> skip(Message message, EntityKey key) {
    return update(message, key, Change.change());
  }

  /**
   * As {@link EntityStore#delete}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> delete(Message message, EntityKey key) {
    return of(message, key, new Action.Delete<>(false));
  }

  /**
   * As {@link EntityStore#deleteExisting}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> deleteExisting(Message message, EntityKey key) {
    return of(message, key, new Action.Delete<>(true));
  }

  /**
   * As {@link EntityStore#forget}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param <T> the entity's type
   * @return the write
   */
  public static <T> Write<T> forget(Message message, EntityKey key) {
    return of(message, key, new Action.Forget<>());
  }

  private static <T> Write<T> of(Message message, EntityKey key, Action<T> action) {
    return new Write<>(message, key, action, null);
  }

  /**
   * The same write in a lane. A write in a lane is made only after the earlier writes of that lane,
   * whatever their entities, and is held back if one of those is not done.
   *
   * @param lane such as topic and partition, or a FIFO group
   * @return the write, in that lane
   */
  public Write<T> inLane(String lane) {
    return new Write<>(message, key, action, Text.notEmpty("lane", lane));
  }

  /**
   * The lane of the write, whose order the write keeps beside the order of its source.
   *
   * @return empty unless {@link #inLane} gave one
   */
  public Optional<String> lane() {
    return Optional.ofNullable(laneOrNull);
  }

  /** Names the message and what is done, never key or values. */
  @Override
  public String toString() {
    return "Write[" + message + ", " + action.getClass().getSimpleName() + "]";
  }
}
