package dev.tidemark.mongodb;

import com.mongodb.client.MongoDatabase;
import dev.tidemark.OutgoingMessage;
import org.bson.Document;

/**
 * A database as one transaction sees it. All that is read and written through it belongs to the
 * transaction; it gives no way past it, so no call can forget the session. For the thread of the
 * handler, until the handler returns.
 */
public final class SessionDatabase {
  private final MongoDatabase database;
  private final SessionScope scope;
  private final TransactionMessages messages;

  SessionDatabase(MongoDatabase database, SessionScope scope, TransactionMessages messages) {
    this.database = database;
    this.scope = scope;
    this.messages = messages;
  }

  /**
   * A collection of documents.
   *
   * @param name its name
   * @return the collection in this transaction
   */
  public SessionCollection<Document> collection(String name) {
    return collection(name, Document.class);
  }

  /**
   * A collection.
   *
   * @param name its name
   * @param type of its documents, which a codec of the database knows
   * @param <T> the same
   * @return the collection in this transaction
   */
  public <T> SessionCollection<T> collection(String name, Class<T> type) {
    return new SessionCollection<>(
        scope.watched(database.getCollection(name, type)), scope.session());
  }

  /**
   * Publishes a message: it is stored with the transaction's other writes, in a document of its
   * own, and a relay over that outbox sends it. One command. Messages of documents of their own
   * have no order among each other.
   *
   * @param outbox of a collection for such messages alone, of the same client. Of several clusters
   *     its tracking has to name one where no tracked write is beside it, as in an inbox
   * @param message without an ID of its own it gets one that follows from the message that is
   *     handled, and from the place among what is published
   * @throws IllegalArgumentException if it has no ID, and the transaction has no tracked write; if
   *     it has the ID of an earlier one; or if the outbox is routed by fields of entities, or of
   *     another cluster than the entities. Nothing is sent
   */
  public void publish(MongoOutbox outbox, OutgoingMessage message) {
    messages.publish(outbox, message);
  }
}
