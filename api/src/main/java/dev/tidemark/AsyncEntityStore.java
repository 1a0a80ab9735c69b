package dev.tidemark;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * {@link EntityStore} on an asynchronous client: the same calls, requests, stored records, outcomes
 * and faults. A future completes with the outcome, or fails with the fault as its exception. Bad
 * input fails the future too; no method throws. Cancelling a future does not stop the call.
 *
 * <p>Functions of the caller's run on threads of the client, or on the common pool after a pause,
 * so they must not block. Stores are safe for use by many threads and hold no state of their own.
 *
 * @param <T> the entity's type
 */
public interface AsyncEntityStore<T> {

  /**
   * What the entities of this store remember.
   *
   * @return the tracking that the store was made with
   */
  Tracking tracking();

  /**
   * See {@link EntityStore#update}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param update what to change
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> update(
      Message message, EntityKey key, EntityUpdate update) {
    return write(() -> Write.update(message, key, update));
  }

  /**
   * See {@link EntityStore#apply(Message, EntityKey, UnaryOperator)}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param function gives the new entity
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> apply(
      Message message, EntityKey key, UnaryOperator<T> function) {
    return write(() -> Write.apply(message, key, function));
  }

  /**
   * See {@link EntityStore#apply(Message, EntityKey, Supplier, UnaryOperator)}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param initial makes the value that the function gets where there is no entity
   * @param function gives the new entity
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> apply(
      Message message, EntityKey key, Supplier<T> initial, UnaryOperator<T> function) {
    return write(() -> Write.apply(message, key, initial, function));
  }

  /**
   * See {@link EntityStore#decide(Message, EntityKey, Function)}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param function gives the new entity, or refuses
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> decide(
      Message message, EntityKey key, Function<T, Decision<T>> function) {
    return write(() -> Write.decide(message, key, function));
  }

  /**
   * See {@link EntityStore#decide(Message, EntityKey, Supplier, Function)}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @param initial makes the value that the function gets where there is no entity
   * @param function gives the new entity, or refuses
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> decide(
      Message message, EntityKey key, Supplier<T> initial, Function<T, Decision<T>> function) {
    return write(() -> Write.decide(message, key, initial, function));
  }

  /**
   * See {@link EntityStore#skip}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> skip(Message message, EntityKey key) {
    return write(() -> Write.skip(message, key));
  }

  /**
   * See {@link EntityStore#delete}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> delete(Message message, EntityKey key) {
    return write(() -> Write.delete(message, key));
  }

  /**
   * See {@link EntityStore#deleteExisting}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> deleteExisting(Message message, EntityKey key) {
    return write(() -> Write.deleteExisting(message, key));
  }

  /**
   * See {@link EntityStore#forget}.
   *
   * @param message the identity of the delivery
   * @param key the entity
   * @return what it did
   */
  default CompletableFuture<Outcome<T>> forget(Message message, EntityKey key) {
    return write(() -> Write.forget(message, key));
  }

  /**
   * See {@link EntityStore#write}.
   *
   * @param write what to do
   * @return what it did
   */
  CompletableFuture<Outcome<T>> write(Write<T> write);

  private CompletableFuture<Outcome<T>> write(Supplier<Write<T>> write) {
    try {
      return write(write.get());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * See {@link EntityStore#writeAll}.
   *
   * @param writes in the order in which they take effect on an entity, but for events of one
   *     source; may be empty
   * @return what became of each, in the same order; faults are {@link Result.Failed}, so it fails
   *     with the JVM alone, such as with an {@link OutOfMemoryError}
   */
  CompletableFuture<List<Result<T>>> writeAll(List<Write<T>> writes);

  /**
   * See {@link EntityStore#find(EntityKey)}.
   *
   * @param key the entity
   * @return empty if there is none, or a deleted one
   */
  CompletableFuture<Optional<T>> find(EntityKey key);

  /**
   * See {@link EntityStore#find(EntityKey, NotBefore)}; no thread waits.
   *
   * @param key the entity
   * @param notBefore the message, and how long to wait for it
   * @return the entity, or that it has not seen the message yet
   */
  CompletableFuture<Freshness<T>> find(EntityKey key, NotBefore notBefore);
}
