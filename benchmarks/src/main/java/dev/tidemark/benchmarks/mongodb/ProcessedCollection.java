package dev.tidemark.benchmarks.mongodb;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.tidemark.benchmarks.measure.Event;
import org.bson.Document;

/** The usual ways with a collection of processed messages beside the entities. */
final class ProcessedCollection {
  private final MongoClient client;
  private final MongoCollection<Document> orders;
  private final MongoCollection<Document> processed;

  ProcessedCollection(Collections collections) {
    this.client = collections.client();
    this.orders = collections.orders();
    this.processed = collections.processed();
  }

  /** The record of the message and the change, in one transaction. */
  boolean inTransaction(Event event) {
    try (ClientSession session = client.startSession()) {
      return session.withTransaction(
          () -> {
            processed.insertOne(session, record(event));
            orders.updateOne(session, ByHand.id(event), ByHand.change(event));
            return true;
          });
    } catch (MongoWriteException e) {
      return duplicate(e);
    }
  }

  /** Looks, changes, records: two threads with one message both apply it. */
  boolean checkThenAct(Event event) {
    if (processed.find(record(event)).first() != null) {
      return false;
    }
    orders.updateOne(ByHand.id(event), ByHand.change(event));
    processed.insertOne(record(event));
    return true;
  }

  /** Records, then changes: a crash between the two loses the message. */
  boolean insertFirst(Event event) {
    try {
      processed.insertOne(record(event));
    } catch (MongoWriteException e) {
      return duplicate(e);
    }
    orders.updateOne(ByHand.id(event), ByHand.change(event));
    return true;
  }

  private static Document record(Event event) {
    return new Document("_id", event.id());
  }

  /** Not applied, since the record is there; any other error is one. */
  private static boolean duplicate(MongoWriteException e) {
    if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
      return false;
    }
    throw e;
  }
}
