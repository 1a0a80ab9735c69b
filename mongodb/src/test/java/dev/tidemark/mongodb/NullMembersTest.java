package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.Document;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A null inside a list or a map is stored as null")
final class NullMembersTest {
  /** A record with a list and a map. */
  public record Holder(
      @BsonId String id,
      @Nullable List<@Nullable String> list,
      @Nullable Map<String, @Nullable Integer> map) {}

  private static final List<@Nullable String> LIST = Arrays.asList("a", null);
  private static final Map<String, @Nullable Integer> MAP = Collections.singletonMap("m", null);

  private final MongoFixture fixture = new MongoFixture();
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private <T> void stored(MongoCollection<T> collection, T expected, Change change) {
    MongoEntityStore<T> store = MongoEntityStore.of(collection);
    assertTrue(store.update(message(), key, change.createIfMissing()).isApplied());
    assertTrue(store.update(message(), key, change).isApplied());
    assertTrue(store.writeAll(List.of(Write.update(message(), key, change))).get(0).isDone());
    Write<T> joined = Write.update(message(), key, change);
    assertTrue(MongoTransaction.on(fixture.client).write(store, joined).commit().isDone());
    assertEquals(expected, store.find(key).orElseThrow());
    BsonDocument document =
        Objects.requireNonNull(collection.withDocumentClass(BsonDocument.class).find().first());
    assertTrue(document.getArray("list").get(1).isNull(), document::toString);
    assertTrue(BsonNull.VALUE.equals(document.getDocument("map").get("m")), document::toString);
  }

  @Test
  @DisplayName("of a record, and of a document with documents of the driver in it")
  void stored() {
    Change change = change().set("list", LIST).set("map", MAP);
    String id = (String) key.parts().get(0);
    MongoCollection<Holder> records = fixture.documents().withDocumentClass(Holder.class);
    stored(records, new Holder(id, LIST, MAP), change);
    Document deep = new Document("in", Arrays.asList(null, MAP));
    Document expected = new Document("_id", id).append("list", LIST).append("map", MAP);
    stored(fixture.documents(), expected.append("deep", deep), change.set("deep", deep));
  }
}
