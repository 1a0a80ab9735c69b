package dev.tidemark.example.migration;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.mongodb.MongoTransaction;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A migration from a collection of handled messages on MongoDB")
class MongoHandledTableTest extends HandledTableScene {
  @SuppressWarnings("NullAway.Init")
  private static MongoClient client;

  @SuppressWarnings("NullAway.Init")
  private static MongoDatabase database;

  @BeforeAll
  static void start() {
    client = MongoClients.create(LocalStore.mongo().uri());
    database = client.getDatabase("handled" + System.nanoTime());
    database.createCollection("handled");
    MongoInbox.createIndex(database, "inbox");
  }

  @AfterAll
  @SuppressWarnings("NullAway") // null where nothing was started
  static void stop() {
    if (client != null) {
      client.close();
    }
  }

  @Override
  void place() {
    database.getCollection("orders").insertOne(new Document("_id", orderId).append("total", 0L));
  }

  @Override
  boolean old(String messageId) {
    try (ClientSession session = client.startSession()) {
      return session.withTransaction(
          () -> {
            database.getCollection("handled").insertOne(session, new Document("_id", messageId));
            database
                .getCollection("orders")
                .updateOne(session, eq("_id", orderId), inc("total", 1L));
            return true;
          });
    } catch (MongoWriteException e) {
      return !isKnown(e);
    }
  }

  private static boolean isKnown(MongoWriteException e) {
    if (e.getError().getCategory() != ErrorCategory.DUPLICATE_KEY) {
      throw e;
    }
    return true;
  }

  @Override
  boolean bothByInbox(String messageId) {
    MongoInbox inbox = MongoInbox.of(client, database, "inbox", "billing");
    boolean isDone;
    try {
      isDone =
          inbox
              .handle(
                  MessageId.of(messageId),
                  all -> {
                    all.collection("handled").insertOne(new Document("_id", messageId));
                    all.collection("orders").updateOne(eq("_id", orderId), inc("total", 1L));
                    return "added";
                  })
              .isDone();
    } catch (MongoWriteException e) {
      isDone = isKnown(e);
    }
    return isDone;
  }

  @Override
  boolean nextByInbox(String messageId) {
    return MongoInbox.of(client, database, "inbox", "billing")
        .handle(
            MessageId.of(messageId),
            all -> all.collection("orders").updateOne(eq("_id", orderId), inc("total", 1L)))
        .isDone();
  }

  private static MongoEntityStore<Document> orders() {
    return MongoEntityStore.of(database.getCollection("orders"));
  }

  @Override
  boolean bothByMarks(String messageId) {
    MongoEntityStore<Document> orders = orders();
    Write<Document> write =
        Write.update(MessageId.of(messageId), key(orderId), change().add("total", 1));
    Document note = new Document("_id", messageId);
    // snippet: migration-handled-marks
    boolean isDone;
    try {
      isDone =
          MongoTransaction.on(client)
              .write(orders, write) // a Write.update of the change that next makes
              .add(database, all -> all.collection("handled").insertOne(note))
              .commit()
              .isDone();
    } catch (MongoWriteException e) {
      isDone = isKnown(e); // a duplicate key: the old version handled it
    }
    // end
    return isDone;
  }

  @Override
  boolean nextByMarks(String messageId) {
    return orders()
        .update(MessageId.of(messageId), key(orderId), change().add("total", 1))
        .isDone();
  }

  @Override
  long total() {
    return Objects.requireNonNull(database.getCollection("orders").find(eq("_id", orderId)).first())
        .getLong("total");
  }
}
