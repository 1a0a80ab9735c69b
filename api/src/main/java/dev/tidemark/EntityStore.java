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
 * <p>The marks are checked first: a remembered message is {@link Outcome.Duplicate} even if the
 * caller's condition is now false or the entity was deleted since. A missing entity has no marks.
 * If a call on a missing entity creates none, nothing is stored.
 *
 * <p>An implementation provides {@link #write}; the other methods that change one entity call
 * {@link #write}. A store that wraps another store, such as one that adds something to each change,
 * implements {@link #write} in the same way.
 *
 * <p>All methods throw {@link ContentionException} if throttling or other writers outlast the
 * retries, {@link OutcomeUnknownException} if an answer was lost and what is stored does not tell,
 * {@link CorruptRecordException} if marks cannot be read, {@link TooLargeException} beyond a limit,
 * and {@code IllegalArgumentException} for bad input, with nothing written. If the store's own
 * client cannot reach the server or lacks a right, the client's exception is thrown unchanged, and
 * the delivery is not done. Stores are safe for use by many threads, and hold no state that an
 * outcome depends on.
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
   * that differ, on the condition that no tracked write came between; else reads again. An
   * attribute is written as a whole: what the class does not map stays beside it, but not inside a
   * nested value that differs. What the class generates where nothing is stored, such as the random
   * initial value of a new field, is written too, so that a read finds what the outcome shows; not
   * so an initial value that is the same at each read, and what stands in a nested value beside
   * what the class does not map.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param function gives the new entity; called again after contention, so it has no effects of
   *     its own; must not return null or change the key; an equal result records the message alone:
   *     {@link Outcome.Recorded}. It may change a mutable entity and return it. What it throws
   *     reaches the caller, with nothing written; an {@link Error} as the cause of an {@link
   *     java.lang.reflect.UndeclaredThrowableException}, unless the JVM itself has failed
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
   * Changes an existing entity by a function that may refuse. A refusal is {@link Outcome.Refused},
   * with the entity as it was found. The store first checks the marks and whether the entity
   * exists, so the function is called only for a fresh message of an existing entity.
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
   * Deletes an entity and everything that the entity remembers. Every message that the entity had
   * applied, this one included, counts as new afterwards, so a redelivered create brings the entity
   * back. A redelivered transaction in which one entity is forgotten is not done once that entity
   * has come back: the other entities remember the message, and this one does not.
   *
   * @param message the identity of the delivery, judged like any other before the delete
   * @param key the entity
   * @return what it did; {@link Outcome.Deleted} where nothing was there, also if this very call
   *     has deleted it and the reply was lost: what is absent does not tell who deleted it
   */
  default Outcome<T> forget(Message message, EntityKey key) {
    return write(Write.forget(message, key));
  }

  /**
   * Makes one write. All the methods above put their arguments into a {@link Write} and call this
   * method. A {@linkplain Write#inLane lane} has no meaning for a single write.
   *
   * @param write what to do
   * @return what it did
   */
  Outcome<T> write(Write<T> write);

  /**
   * Makes many writes with fewer requests: writes of one entity are folded into one conditional
   * write where possible, and different entities do not wait for each other. Each write has the
   * same result as if all were made one after the other in the order of the list, with two
   * exceptions. First, events of one source for one entity (and in one lane) are sorted by
   * generation and position, among the places that these events have in the list. Second, after an
   * event that is not done, later events of its source are not tried if they would make that event
   * Stale or would be Gaps. A window takes later events; a window that forgets or gives up holes
   * takes as many as its size. A write that fails does not fail the others. In a {@linkplain
   * Write#inLane lane}, writes behind one that is not done are not tried, whatever their entities.
   *
   * <p>Each function of a batch has the entity as it left it in its outcome, with a version or a
   * counter of the store's as it would be had it been written by itself. A time that the store
   * generates is as it was read there, or as the function left it in a new entity, but for the last
   * function. Updates that ask for the entity and are folded have all the entity as the last of
   * them left it.
   *
   * <p>Updates without a condition of their own are folded if their operations compose, also
   * updates in the store's own words; functions are always folded. Amounts are summed before they
   * are added, so that a stored double, or a decimal of all digits that the store holds, may be
   * rounded otherwise. A message that is in the list twice is applied once. Folded writes are made
   * all or nothing, so a lost reply can leave several messages unknown, each with its own result.
   * If folded writes meet a fault or a limit of the store, they are split into smaller writes.
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
   * Reads an entity and requires that the entity has seen a message: for readers of a view who know
   * which event they wait for. The event must be one that changes this entity.
   *
   * @param key the entity
   * @param notBefore the message, and how long to wait for it
   * @return the entity, or that it has not seen the message yet
   */
  Freshness<T> find(EntityKey key, NotBefore notBefore);
}
