package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A field of others, whose name no change may have,")
final class OddNamesTest {
  private final MongoFixture fixture = new MongoFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("stays as it is under every kind of write, and no function sets it")
  void stays() {
    for (String name : List.of("a.b", "$ref", "$a.b", "")) {
      stays(name);
    }
  }

  private void stays(String name) {
    String id = UUID.randomUUID().toString();
    EntityKey key = key(id);
    MongoCollection<Document> rows = fixture.documents();
    MongoEntityStore<Document> store = MongoEntityStore.of(rows);
    rows.insertOne(new Document("_id", id).append("total", 1).append(name, 7));
    assertTrue(store.update(message(), key, change().add("total", 1)).isApplied());
    assertTrue(store.apply(message(), key, row -> row.append("total", 9)).isApplied());
    assertInstanceOf(Outcome.Recorded.class, store.apply(message(), key, UnaryOperator.identity()));
    assertTrue(
        store
            .writeAll(List.of(Write.apply(message(), key, row -> row.append("total", 10))))
            .get(0)
            .isDone());
    assertThrows(
        IllegalArgumentException.class,
        () -> store.apply(message(), key, row -> row.append(name, 8)));
    Document row = store.find(key).orElseThrow();
    assertEquals(List.of(10, 7), List.of(row.get("total"), row.get(name)));
  }
}
