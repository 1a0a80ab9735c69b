package dev.tidemark.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import dev.tidemark.mongodb.MongoOutboxStream.Tokens;
import java.util.Objects;
import java.util.Optional;
import org.bson.Document;

/** Keeps the place of a stream in a document, under its name. */
final class OutboxTokens implements Tokens {
  private static final String TOKEN = "token";

  private final OwnCollection<Document> collection;
  private final Document key;

  OutboxTokens(MongoCollection<?> collection, String name) {
    this.collection = OwnCollection.of(collection, Document.class);
    this.key = new Document("_id", Objects.requireNonNull(name, "name"));
  }

  @Override
  public Optional<String> read() {
    Document stored = collection.get().find(key).first();
    return stored != null && stored.get(TOKEN) instanceof String token
        ? Optional.of(token)
        : Optional.empty();
  }

  @Override
  public void write(String token) {
    var unused =
        collection
            .get()
            .replaceOne(
                key, new Document(key).append(TOKEN, token), new ReplaceOptions().upsert(true));
  }
}
