package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.ValidationOptions;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The errors of guards in a bulk on MongoDB")
final class RefusalTest {
  private static final Change COUNTED = change().add("n", 1L);

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

  private static EntityKey created(MongoEntityStore<Document> store) {
    EntityKey key = MongoFixture.key();
    assertTrue(store.update(id(), key, COUNTED.createIfMissing()).isApplied());
    return key;
  }

  private static Outcome<Document> outcome(Result<Document> result) {
    assertInstanceOf(Result.Judged.class, result);
    return ((Result.Judged<Document>) result).outcome();
  }

  @Test
  @DisplayName("leave nothing of entities that must exist: Missing, by one bulk and one find")
  void missing() {
    List<Write<Document>> writes = new ArrayList<>();
    EntityKey there = created(store);
    for (int i = 0; i < 5; i++) {
      writes.add(Write.update(id(), i == 2 ? there : MongoFixture.key(), COUNTED));
    }
    List<Result<Document>> results = new ArrayList<>();
    assertEquals(
        List.of("update", "find"),
        fixture.commands.names(() -> results.addAll(store.writeAll(writes))));
    for (int i = 0; i < 5; i++) {
      Class<?> arm = i == 2 ? Outcome.Applied.class : Outcome.Missing.class;
      assertInstanceOf(arm, outcome(results.get(i)));
    }
    assertEquals(1, collection.countDocuments());
  }

  @Test
  @DisplayName("tell refused writes from made ones, also where others have written since")
  void overwritten() {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      EntityKey key = created(store);
      Change change = i % 2 == 0 ? COUNTED : COUNTED.returning();
      writes.add(Write.update(id(), key, change));
    }
    Write<Document> known = writes.get(0);
    assertTrue(store.write(known).isApplied());
    List<Result<Document>> results = new ArrayList<>();
    Change more = COUNTED.set("more", true);
    var unused =
        fixture.commands.names(
            () -> results.addAll(store.writeAll(writes)),
            name -> {
              if (name.equals("find")) { // after the bulk
                writes.forEach(w -> assertTrue(store.update(id(), w.key(), more).isApplied()));
              }
            });
    assertInstanceOf(Outcome.Duplicate.class, outcome(results.get(0)));
    for (int i = 1; i < 4; i++) {
      assertTrue(outcome(results.get(i)).isApplied(), "message " + i);
      assertEquals(3L, store.find(writes.get(i).key()).orElseThrow().getLong("n"));
      if (i % 2 == 1) { // as the entity is now, which has the change and what came after it
        assertEquals(3L, outcome(results.get(i)).entity().orElseThrow().getLong("n"));
      }
    }
  }

  @Test
  @DisplayName("let functions be called again where another has written since they were")
  void functions() {
    EntityKey key = created(store);
    Write<Document> write =
        Write.apply(id(), key, document -> document.append("n", document.getLong("n") + 1));
    List<Result<Document>> results = new ArrayList<>();
    List<String> sent =
        fixture.commands.names(
            () -> results.addAll(store.writeAll(List.of(write))),
            name -> {
              Document now = store.find(key).orElseThrow();
              if (name.equals("update") && now.getLong("n") == 1L) {
                assertTrue(store.update(id(), key, COUNTED).isApplied());
              }
            });
    assertTrue(outcome(results.get(0)).isApplied());
    assertEquals(List.of("find", "update", "find", "update"), sent);
    assertEquals(3L, store.find(key).orElseThrow().getLong("n"));
  }

  @Test
  @DisplayName("insert nothing where the entity was forgotten since it was read")
  void forgotten() {
    EntityKey key = created(store);
    Write<Document> write =
        Write.apply(id(), key, document -> document.append("n", document.getLong("n") + 1));
    List<Result<Document>> results = new ArrayList<>();
    var unused =
        fixture.commands.names(
            () -> results.addAll(store.writeAll(List.of(write))),
            name -> {
              if (name.equals("update")) {
                assertNotNull(store.forget(id(), key));
              }
            });
    assertInstanceOf(Outcome.Missing.class, outcome(results.get(0)));
    assertEquals(0, collection.countDocuments());
  }

  @Test
  @DisplayName("are not the errors of a user's own validator, which are faults of their messages")
  void validator() {
    String name = "validated" + UUID.randomUUID();
    Document test = new Document("$gte", List.of(new Document("$toInt", "$text"), 0));
    fixture
        .client
        .getDatabase("tests")
        .createCollection(
            name,
            new CreateCollectionOptions()
                .validationOptions(new ValidationOptions().validator(new Document("$expr", test))));
    MongoEntityStore<Document> validated =
        MongoEntityStore.of(fixture.client.getDatabase("tests").getCollection(name));
    List<Write<Document>> writes = new ArrayList<>();
    for (String text : List.of("1", "tidemark refuses", "2")) {
      Change change = COUNTED.set("text", text).createIfMissing();
      writes.add(Write.update(id(), MongoFixture.key(), change));
    }
    List<Result<Document>> results = validated.writeAll(writes);
    assertTrue(outcome(results.get(0)).isApplied());
    assertInstanceOf(Result.Failed.class, results.get(1));
    assertTrue(outcome(results.get(2)).isApplied());
    assertTrue(validated.find(writes.get(1).key()).isEmpty());
  }

  @Test
  @DisplayName("are known in large numbers too")
  void many() {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      writes.add(Write.update(id(), MongoFixture.key(), COUNTED.createIfMissing()));
    }
    store.writeAll(writes).forEach(result -> assertTrue(outcome(result).isApplied()));
    Collections.shuffle(writes);
    store
        .writeAll(writes)
        .forEach(result -> assertInstanceOf(Outcome.Duplicate.class, outcome(result)));
  }
}
