package dev.tidemark;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Entities of one table or collection, changed by messages that may be delivered more than once. A
 * message is applied in one conditional write which checks the marks, records the message and
 * changes the entity, all or nothing ({@code apply}, and some deletes, read first). A repeated
 * delivery changes nothing: it is answered {@link Outcome.Duplicate} or {@link Outcome.Stale},
 * within the horizon of the {@link Tracking}.
 *
 * <p>Marks judge first: a message that is remembered is {@link Outcome.Duplicate} even if the
 * caller's condition is now false or the entity was deleted since. A missing entity is judged over
 * no marks; where none is created, nothing is stored.
 *
 * <p>A store has to do {@link #write}; the methods that change one entity are made of it. A store
 * around another store, such as one that adds something to each change, implements it likewise.
 *
 * <p>All methods throw {@link ContentionException} if throttling or other writers outlast the
 * retries, {@link OutcomeUnknownException} if an answer was lost and what is stored does not tell,
 * {@link CorruptRecordException} if marks cannot be read, {@link TooLargeException} beyond a limit,
 * and {@code IllegalArgumentException} for bad input, with nothing written. What a store's own
 * client throws where it cannot reach the server, or may not, passes as it is; the delivery is then
 * not done. Stores are safe for use by many threads, and keep nothing that an outcome depends on.
 *
 * @param <T> the entity's type
 */
public interface EntityStore<T> {

  /**
   * What the entities of this store remember.
   *
   * @return the tracking that the store was made with
   */
  Tracking tracking();

  /**
   * Changes an entity in one write, by a portable change or in the store's own words.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param update what to change; by default the entity must exist
   * @return what it did
   * @throws IllegalArgumentException if the update is in the words of another store
   * @throws InvalidChangeException if the stored entity does not have the shape that the change
   *     needs
   */
  default Outcome<T> update(Message message, EntityKey key, EntityUpdate update) {
    return write(Write.update(message, key, update));
  }

  /**
   * Changes an existing entity by a function: reads it, calls the function, writes the attributes
   * that differ, on the condition that no tracked write came between; else reads again.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param function gives the new entity; called again after contention, so it has no effects of
   *     its own; must not return null or change the key; an equal result records the message alone:
   *     {@link Outcome.Recorded}. It may change a mutable entity and return it. What it throws
   *     reaches the caller, with nothing written
   * @return what it did
   */
  default Outcome<T> apply(Message message, EntityKey key, UnaryOperator<T> function) {
    return write(Write.apply(message, key, function));
  }

  /**
   * Changes an entity by a function, or creates it from an initial value to which the function is
   * applied. A deleted entity stays deleted.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param initial makes the value that the function gets where there is no entity; the store puts
   *     the key in
   * @param function gives the new entity, as in {@link #apply(Message, EntityKey, UnaryOperator)}
   * @return what it did
   */
  default Outcome<T> apply(
      Message message, EntityKey key, Supplier<T> initial, UnaryOperator<T> function) {
    return write(Write.apply(message, key, initial, function));
  }

  /**
   * Changes an existing entity by a function that may refuse: {@link Outcome.Refused}, with the
   * entity as it was found. Marks judge first, and existence: the function is asked only about a
   * message that is fresh.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param function gives the new entity or refuses, else as in {@link #apply(Message, EntityKey,
   *     UnaryOperator)}
   * @return what it did
   */
  default Outcome<T> decide(Message message, EntityKey key, Function<T, Decision<T>> function) {
    return write(Write.decide(message, key, function));
  }

  /**
   * Changes an entity by a function that may refuse, or creates it. Where the function refuses, no
   * entity is created and nothing is recorded.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param initial makes the value that the function gets where there is no entity
   * @param function gives the new entity or refuses, else as in {@link #apply(Message, EntityKey,
   *     UnaryOperator)}
   * @return what it did
   */
  default Outcome<T> decide(
      Message message, EntityKey key, Supplier<T> initial, Function<T, Decision<T>> function) {
    return write(Write.decide(message, key, initial, function));
  }

  /**
   * Records a message on an existing entity without changing it: for event types that a projector
   * ignores, after dead-lettering, and to seed the marks of entities that were there before.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @return {@link Outcome.Recorded} if it was recorded now
   */
  default Outcome<T> skip(Message message, EntityKey key) {
    return write(Write.skip(message, key));
  }

  /**
   * Deletes an entity, leaving a tombstone of its key, its marks and an expiry, so that a
   * redelivered create does not bring it back. Where there is no entity the tombstone is written
   * all the same.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @return what it did; {@link Outcome.Deleted} if another message deleted it before
   */
  default Outcome<T> delete(Message message, EntityKey key) {
    return write(Write.delete(message, key));
  }

  /**
   * Deletes an entity as {@link #delete} does, but only if there is one.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @return what it did; {@link Outcome.Missing} if there is no entity
   */
  default Outcome<T> deleteExisting(Message message, EntityKey key) {
    return write(Write.deleteExisting(message, key));
  }

  /**
   * Deletes an entity and everything that it remembers. What is lost: every message that it had
   * applied, this one included, is new to it afterwards, so a redelivered create brings it back.
   *
   * @param message the identity of the delivery, judged like any other before the delete
   * @param key the entity
   * @return what it did; {@link Outcome.Deleted} where nothing was there
   */
  default Outcome<T> forget(Message message, EntityKey key) {
    return write(Write.forget(message, key));
  }

  /**
   * Makes one write, in whose form all the methods above hand their arguments to the store. A
   * {@linkplain Write#inLane lane} has no meaning for a write alone.
   *
   * @param write what to do
   * @return what it did
   */
  Outcome<T> write(Write<T> write);

  /**
   * Makes many writes with fewer requests: those of one entity are folded into one conditional
   * write where they can be, and different entities do not wait for each other. What becomes of
   * each is the same as if they had been made one after the other, in the order of the list, but
   * for two things. Events of one source for one entity (and in one lane) are first sorted by
   * generation and position, among the indexes of the list that they have. Later events of a source
   * are not tried after one that is not done, where they would make it Stale or be Gaps; a window
   * takes them, and one that forgets or gives up takes as many as its size. A write that fails,
   * fails alone. In a {@linkplain Write#inLane lane} what follows a write that is not done is not
   * tried, whatever its entity.
   *
   * <p>Updates without a condition of their own fold if their operations compose, those in the
   * store's own words too; functions fold always. A message that is there twice is applied once.
   * What folds is written all or nothing, so a lost reply can leave several messages unknown, each
   * by itself. A fold that meets a fault or a limit of the store is split.
   *
   * @param writes in the order in which they take effect on an entity, but for events of one
   *     source; may be empty
   * @return what became of each, in the same order; faults are {@link Result.Failed} and are not
   *     thrown
   */
  List<Result<T>> writeAll(List<Write<T>> writes);

  /**
   * Reads an entity, seeing every write that completed before.
   *
   * @param key the entity
   * @return empty if there is none, or a deleted one
   */
  Optional<T> find(EntityKey key);

  /**
   * Reads an entity that has to have seen a message, for readers of a view who know which event
   * they are waiting for. The event must be one that changes this entity.
   *
   * @param key the entity
   * @param notBefore the message, and how long to wait for it
   * @return the entity, or that it has not seen the message yet
   */
  Freshness<T> find(EntityKey key, NotBefore notBefore);
}
