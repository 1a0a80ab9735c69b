package dev.tidemark.lab.outbox;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.Document;

/** Trouble for those who read the change stream of a MongoDB collection. For one thread. */
final class StreamTrouble implements Consumer<Case> {
  /** Options of a server whose oplog keeps a megabyte or so. */
  static final String[] SHORT_HISTORY = {"--oplogSize=1", "--syncdelay=1"};

  private static final int LOST = 286;
  private static final int MANY = 2_000;
  private static final String AWAY = "away";

  private final String uri;

  StreamTrouble(String uri) {
    this.uri = uri;
  }

  @Override
  public void accept(Case what) {
    try (MongoClient client = MongoClients.create(uri)) {
      MongoDatabase database = Connection.database(client);
      switch (what) {
        case STREAM_LOST -> losePlace(database.getCollection(Connection.PLACES));
        case HISTORY_LOST -> cutHistory(database);
        case INVALIDATED -> rename(database);
        default -> {}
      }
    }
  }

  /** The place from which the next reader goes on, if one was kept. */
  private static Optional<String> place(MongoCollection<Document> places) {
    for (Document place : places.find()) {
      for (Object value : place.values()) {
        if (value instanceof String text && text.contains("_data")) {
          return Optional.of(text);
        }
      }
    }
    return Optional.empty();
  }

  /** Whether some reader has kept its place. */
  boolean hasPlace() {
    try (MongoClient client = MongoClients.create(uri)) {
      return place(Connection.database(client).getCollection(Connection.PLACES)).isPresent();
    }
  }

  /** Puts a token that no server knows in place of the one that was kept. */
  private static void losePlace(MongoCollection<Document> places) {
    for (Document place : places.find()) {
      for (String name : place.keySet()) {
        if (place.get(name) instanceof String text && text.contains("_data")) {
          places.updateOne(
              Filters.eq("_id", place.get("_id")),
              Updates.set(name, "{\"_data\": \"82000000000000000000000000\"}"));
        }
      }
    }
  }

  /** Writes until the oplog has no more what follows the place that was kept. */
  private static void cutHistory(MongoDatabase database) {
    String place = place(database.getCollection(Connection.PLACES)).orElseThrow();
    MongoCollection<Document> orders = database.getCollection(Connection.ORDERS);
    MongoCollection<Document> noise = database.getCollection("noise");
    String text = "x".repeat(100_000);
    for (int i = 0; !isLost(orders, place); i++) {
      if (i == MANY) {
        throw new IllegalStateException("the oplog keeps everything");
      }
      var unused =
          noise.replaceOne(
              Filters.eq("_id", 0),
              new Document("n", i).append("text", text),
              new ReplaceOptions().upsert(true));
    }
  }

  private static boolean isLost(MongoCollection<Document> of, String token) {
    try (var cursor = of.watch().startAfter(BsonDocument.parse(token)).cursor()) {
      return cursor.available() < 0;
    } catch (MongoCommandException e) {
      return e.getErrorCode() == LOST;
    }
  }

  /** Gives the collection another name for a moment. */
  private static void rename(MongoDatabase database) {
    MongoNamespace name = new MongoNamespace(database.getName(), Connection.ORDERS);
    MongoNamespace away = new MongoNamespace(database.getName(), AWAY);
    database.getCollection(Connection.ORDERS).renameCollection(away);
    // a relay may have made an empty one meanwhile
    database
        .getCollection(AWAY)
        .renameCollection(name, new RenameCollectionOptions().dropTarget(true));
  }
}
