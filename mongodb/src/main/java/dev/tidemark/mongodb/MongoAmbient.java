package dev.tidemark.mongodb;

import com.mongodb.client.ClientSession;
import java.util.Optional;

/**
 * Finds the transaction that a framework has begun on the calling thread, for stores that {@link
 * MongoEntityStore.Builder#joining join} it. Must be safe for use by many threads.
 */
public interface MongoAmbient {
  /**
   * The session of the transaction in which the calling thread is.
   *
   * @return with a transaction that has been started; empty outside of transactions, where a store
   *     makes each call by itself
   */
  Optional<ClientSession> session();

  /**
   * Makes sure that the transaction is not committed, and that its owner is told so: a call in it
   * has thrown, or has an outcome that is not done. What else was written in it would be half of a
   * message's effects.
   */
  void refuse();
}
