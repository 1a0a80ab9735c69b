package dev.tidemark.lab.orders;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.example.orderhistory.carrier.ChangeStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.bson.types.ObjectId;

/**
 * A collection of events, and the dead letters beside it. Nobody acknowledges anything to it: how
 * far it was read stands in a record beside it.
 */
final class StreamFeed implements Feed {
  private final String uri;
  private final MongoDatabase database;

  StreamFeed(MongoClient client, String uri, String name) {
    this.uri = uri;
    this.database = client.getDatabase(name);
    database.createCollection(ChangeStream.EVENTS);
  }

  /** What is sent twice is two documents, as from a producer that does not know of the first. */
  @Override
  public void send(List<Letter> letters) {
    List<Document> documents = new ArrayList<>();
    for (Letter letter : letters) {
      documents.add(new Document("_id", new ObjectId()).append("event", letter.body()));
    }
    if (!documents.isEmpty()) {
      var unused = database.getCollection(ChangeStream.EVENTS).insertMany(documents);
    }
  }

  @Override
  public long left() {
    return 0;
  }

  @Override
  public boolean isAcknowledged() {
    return false;
  }

  @Override
  public List<String> deadLetters() {
    MongoCollection<Document> letters = database.getCollection(ChangeStream.DEAD_LETTERS);
    List<String> bodies = new ArrayList<>();
    for (Document letter : letters.find()) {
      bodies.add(letter.get("document", Document.class).getString("event"));
    }
    return bodies;
  }

  /** Nothing has to be sent: it is forgotten how far it was read. */
  @Override
  public void replay() {
    database.getCollection(ChangeStream.PLACES).drop();
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("events", uri, "database", database.getName());
  }

  @Override
  public void close() {} // the client is the broker's
}
