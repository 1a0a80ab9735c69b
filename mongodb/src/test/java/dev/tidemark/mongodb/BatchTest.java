package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.TooLargeException;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A batch on MongoDB")
final class BatchTest {
  private static final int MEGABYTES = 6 << 20;

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(collection);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Write<Document> adds(EntityKey key, Change more) {
    return Write.update(id(), key, more.createIfMissing().add("n", 1L));
  }

  private long count(EntityKey key) {
    return store.find(key).map(document -> document.getLong("n")).orElse(0L);
  }

  @Test
  @DisplayName("of a hundred entities is one bulk; again, that and one find")
  void commands() {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      EntityKey key = MongoFixture.key();
      writes.add(adds(key, change()));
      writes.add(adds(key, change()));
    }
    assertEquals(List.of("update"), fixture.commands.names(() -> check(writes, "Applied")));
    assertEquals(
        List.of("update", "find"), fixture.commands.names(() -> check(writes, "Duplicate")));
    List<Write<Document>> functions = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      functions.add(
          Write.apply(id(), writes.get(2 * i).key(), document -> document.append("x", "y")));
    }
    assertEquals(
        List.of("find", "update"), fixture.commands.names(() -> check(functions, "Applied")));
  }

  private void check(List<Write<Document>> writes, String arm) {
    for (Result<Document> result : store.writeAll(writes)) {
      Result.Judged<?> judged = assertInstanceOf(Result.Judged.class, result);
      assertEquals(arm, judged.outcome().getClass().getSimpleName());
    }
  }

  @Test
  @DisplayName("one entity that violates a unique index fails alone, and only its own message")
  void uniqueIndex() {
    collection.createIndex(
        Indexes.ascending("email"),
        new IndexOptions().unique(true).partialFilterExpression(new Document("email", type())));
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      EntityKey key = MongoFixture.key();
      writes.add(adds(key, change()));
      writes.add(adds(key, change().set("email", i == 4 ? "mail-2" : "mail-" + i)));
      writes.add(adds(key, change()));
    }
    List<Result<Document>> results = store.writeAll(writes);
    for (int i = 0; i < results.size(); i++) {
      if (i == 13) {
        Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, results.get(i));
        assertInstanceOf(InvalidChangeException.class, failed.fault());
      } else {
        assertInstanceOf(Result.Judged.class, results.get(i), "message " + i);
      }
    }
    assertEquals(2, count(writes.get(12).key()));
    assertEquals(3, count(writes.get(6).key()));
    EntityKey taken = MongoFixture.key();
    List<Result<Document>> functions =
        store.writeAll(
            List.of(
                Write.apply(id(), taken, Document::new, d -> d.append("email", "mail-1")),
                Write.apply(id(), MongoFixture.key(), Document::new, d -> d.append("n", 1L))));
    Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, functions.get(0));
    assertInstanceOf(InvalidChangeException.class, failed.fault());
    assertInstanceOf(Result.Judged.class, functions.get(1));
  }

  private static Document type() {
    return new Document("$type", "string");
  }

  @Test
  @DisplayName("that comes to more than a document takes is split, and nothing lost")
  void tooLarge() {
    EntityKey key = MongoFixture.key();
    EntityKey other = MongoFixture.key();
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writes.add(adds(key, change().set("big" + i, "x".repeat(MEGABYTES))));
      writes.add(adds(other, change()));
    }
    List<Result<Document>> results = store.writeAll(writes);
    for (int i = 0; i < results.size(); i++) {
      boolean fits = i % 2 == 1 || i < 4;
      if (fits) {
        assertInstanceOf(Result.Judged.class, results.get(i), "message " + i);
      } else {
        Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, results.get(i));
        assertInstanceOf(TooLargeException.class, failed.fault());
      }
    }
    assertEquals(2, count(key));
    assertEquals(4, count(other));
  }
}
