package dev.tidemark.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import org.bson.Document;

/**
 * A database as one transaction sees it. All that is read and written through it belongs to the
 * transaction; it gives no way past it, so no call can forget the session. For the thread of the
 * handler, until the handler returns.
 */
public final class SessionDatabase {
  private final MongoDatabase database;
  private final ClientSession session;

  SessionDatabase(MongoDatabase database, ClientSession session) {
    this.database = database;
    this.session = session;
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
    return new SessionCollection<>(database.getCollection(name, type), session);
  }
}
