package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Write;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.bson.BsonNull;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A change that makes maps on MongoDB")
final class ParentsTest {
  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(documents);
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Change counted() {
    return change().add("byDay.2026-01-01", 1).createParents();
  }

  private void storeNull() {
    documents.updateOne(
        new Document("_id", key.parts().get(0)),
        new Document("$set", new Document("byDay", BsonNull.VALUE)));
  }

  private long count() {
    Document byDay = Objects.requireNonNull(documents.find().first()).get("byDay", Document.class);
    return byDay.get("2026-01-01", Number.class).longValue();
  }

  @Test
  @DisplayName("takes one command, and one for an entity that is made")
  void commands() {
    List<String> names =
        fixture.commands.names(
            () -> assertTrue(store.update(id(), key, counted().createIfMissing()).isApplied()));
    assertEquals(1, names.size(), names::toString);
    documents.updateOne(new Document(), new Document("$unset", new Document("byDay", "")));
    names =
        fixture.commands.names(() -> assertTrue(store.update(id(), key, counted()).isApplied()));
    assertEquals(1, names.size(), names::toString);
    assertEquals(1, count());
  }

  @Test
  @DisplayName("takes an explicit null for nothing, in a transaction too")
  void nulls() {
    assertTrue(store.update(id(), key, change().set("x", 1).createIfMissing()).isApplied());
    storeNull();
    assertTrue(store.update(id(), key, counted()).isApplied());
    assertEquals(1, count());
    storeNull();
    assertTrue(
        MongoTransaction.on(fixture.client)
            .write(store, Write.update(id(), key, counted()))
            .commit()
            .isDone());
    assertEquals(1, count());
  }
}
