package dev.tidemark.execution;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.MessageId;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * The last write of a key's work, which is also the proof that the work is done. The effect and its
 * completion are one write, so there is never one without the other. No other write ends the
 * execution.
 *
 * <p>Only a call that has the completion can tell whether the write was made. If such a call left a
 * key unfinished, or failed behind a write that was tried, a later call without a completion throws
 * {@link IllegalStateException} and does nothing, unless the work was given up before the write was
 * tried.
 *
 * @param <C> what the work prepares for the write
 * @param <R> the result that what was written tells
 */
public interface Completion<C, R> {
  /**
   * Looks whether the write was made.
   *
   * @param message the identity of the key's work, from its first claim until the key is forgotten
   * @return the result; empty if it was not made
   */
  Optional<R> find(MessageId message);

  /**
   * Makes the write, unless it was made. A call that an interrupt broke off is repeated.
   *
   * @param message the identity of the key's work, as above; the write is made once under it, for
   *     at least as long as the key is remembered
   * @param prepared what the work gave
   * @return the result; empty if the write was refused, and the work has failed, unless a later
   *     call finds that a slower attempt has made the write. What it throws is never stored as a
   *     failure: the next call looks whether the write was made
   */
  Optional<Made<R>> make(MessageId message, C prepared);

  /**
   * For how long {@link #find} can tell that the write was made. The key is remembered for at least
   * as long.
   *
   * @return empty if for ever
   */
  default Optional<Duration> toldFor() {
    return Optional.empty();
  }

  /**
   * For how long {@link #find} can tell it where what was written is deleted since.
   *
   * @return empty if for ever; {@link #toldFor()} unless overridden, and never more
   */
  default Optional<Duration> toldIfDeletedFor() {
    return toldFor();
  }

  /**
   * A write that is made.
   *
   * @param result what was written tells
   * @param before whether an earlier attempt made it
   * @param <R> the result
   */
  record Made<R>(R result, boolean before) {}

  /**
   * The tracked write of one entity. Its mark is the completion. An update that changes nothing is
   * one too; one that the entity refuses, or that finds its tombstone, is a failure. Where there is
   * no such entity, the call throws {@link IllegalStateException} and writes nothing; a later one
   * goes on behind the steps that are done. The entity tells of the write for as long as it keeps
   * message IDs. Where it is deleted, its tombstone tells, while that is kept. An update that
   * {@linkplain dev.tidemark.Change#otherwiseSkip() records its own refusal} is none: the call
   * throws {@link IllegalArgumentException}, and writes nothing.
   *
   * @param store the entity's store
   * @param key the entity
   * @param result tells the result by the entity, as it is then or later
   * @param <T> the entity's type
   * @param <R> the result's type
   * @return a completion by the update that the work gives
   * @throws IllegalArgumentException if the store keeps a number of message IDs, and not those of a
   *     time
   */
  static <T, R> Completion<EntityUpdate, R> in(
      EntityStore<T> store, EntityKey key, Function<? super T, ? extends R> result) {
    return EntityCompletion.telling(store, key, result);
  }

  /**
   * The tracked write of one entity, which has nothing to tell but that it was made. No entity
   * comes back with it, so that it is a little cheaper.
   *
   * @param store the entity's store
   * @param key the entity
   * @return a completion by the update that the work gives, whose result is {@code true}
   * @throws IllegalArgumentException if the store keeps a number of message IDs, and not those of a
   *     time
   */
  static Completion<EntityUpdate, Boolean> in(EntityStore<?> store, EntityKey key) {
    return EntityCompletion.silent(store, key);
  }
}
