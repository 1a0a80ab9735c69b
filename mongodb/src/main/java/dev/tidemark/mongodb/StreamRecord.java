package dev.tidemark.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import java.time.Instant;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The place of a stream, beyond the life of a process: {@code {_id: name, source: "shop.events",
 * token: {…}, at: …}}.
 */
final class StreamRecord {
  private static final String ID = "_id";
  private static final String SOURCE = "source";
  private static final String TOKEN = "token";

  private final OwnCollection<BsonDocument> places;
  private final String source;
  private final BsonString name;

  StreamRecord(MongoCollection<?> places, String source, String name) {
    this.places = OwnCollection.of(places, BsonDocument.class);
    this.source = source;
    this.name = new BsonString(name);
  }

  /** What is kept; null if nothing is. */
  @Nullable BsonDocument read() {
    BsonDocument stored = places.get().find(key()).first();
    if (stored == null) {
      return null;
    }
    boolean isOurs =
        stored.isString(SOURCE)
            && stored.getString(SOURCE).getValue().equals(source)
            && stored.isDocument(TOKEN);
    if (!isOurs) {
      throw new IllegalStateException(
          this
              + " is no place in the change stream of "
              + source
              + ": give each stream a name of its own, or delete the record, and the stream starts"
              + " as a new one");
    }
    return stored.getDocument(TOKEN);
  }

  void write(BsonDocument token, Instant now) {
    BsonDocument stored =
        new BsonDocument(ID, name)
            .append(SOURCE, new BsonString(source))
            .append(TOKEN, token)
            .append("at", new BsonDateTime(now.toEpochMilli()));
    var unused = places.get().replaceOne(key(), stored, new ReplaceOptions().upsert(true));
  }

  private Bson key() {
    return Filters.eq(ID, name);
  }

  /** Names the record, for whoever has to delete it. */
  @Override
  public String toString() {
    return "the record '" + name.getValue() + "' of " + places.name();
  }
}
