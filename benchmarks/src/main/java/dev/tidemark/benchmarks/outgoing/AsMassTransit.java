package dev.tidemark.benchmarks.outgoing;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.types.ObjectId;

/**
 * The commands of MassTransit's bus outbox on MongoDB, for a unit of work that changes an entity
 * and sends one message: a transaction of entity, message and the outbox's state. Its delivery
 * service finds states; then, in a transaction for each, it locks the state, finds the messages,
 * sends and deletes each, and replaces the state; in a second one it locks and removes what was
 * delivered.
 */
final class AsMassTransit {
  private static final int MOST = 100;

  private final MongoClient client;
  private final MongoCollection<Document> messages;
  private final MongoCollection<Document> states;

  AsMassTransit(
      MongoClient client, MongoCollection<Document> messages, MongoCollection<Document> states) {
    this.client = client;
    this.messages = messages;
    this.states = states;
  }

  private void transaction(Consumer<ClientSession> work) {
    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      work.accept(session);
      session.commitTransaction();
    }
  }

  void publish(Consumer<ClientSession> change, Document message) {
    transaction(
        session -> {
          change.accept(session);
          ObjectId id = new ObjectId();
          var unused = messages.insertOne(session, message.append("outbox", id));
          var unusedState = states.insertOne(session, new Document("_id", id).append("version", 1));
        });
  }

  int send() {
    List<Object> outboxes =
        states
            .find()
            .sort(Sorts.ascending("_id"))
            .limit(MOST)
            .projection(Projections.include("_id"))
            .map(state -> state.get("_id"))
            .into(new ArrayList<>());
    outboxes.forEach(
        id -> {
          transaction(session -> deliver(session, id));
          transaction(session -> remove(session, id));
        });
    return outboxes.size();
  }

  private void lock(ClientSession session, Object id) {
    var unused =
        states.findOneAndUpdate(
            session, Filters.eq("_id", id), Updates.set("lock", new ObjectId()));
  }

  private void replace(ClientSession session, Object id, int version) {
    var unused =
        states.findOneAndReplace(
            session,
            Filters.and(Filters.eq("_id", id), Filters.lt("version", version)),
            new Document("version", version).append("delivered", true));
  }

  private void deliver(ClientSession session, Object id) {
    lock(session, id);
    List<Document> found =
        messages.find(session, Filters.eq("outbox", id)).limit(MOST).into(new ArrayList<>());
    for (Document message : found) {
      var unused = messages.deleteOne(session, Filters.eq("_id", message.get("_id")));
    }
    replace(session, id, 2);
  }

  private void remove(ClientSession session, Object id) {
    lock(session, id);
    var unused = messages.deleteMany(session, Filters.eq("outbox", id));
    var unusedState = states.deleteOne(session, Filters.eq("_id", id));
    replace(session, id, 3);
  }
}
