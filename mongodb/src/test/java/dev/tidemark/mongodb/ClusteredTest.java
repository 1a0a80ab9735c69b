package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ClusteredIndexOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A collection that is clustered by its key, whose errors name no index of it")
final class ClusteredTest {
  private static final int WRITERS = 4;
  private static final int ENTITIES = 40;

  private final MongoFixture fixture = new MongoFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoCollection<Document> clustered() {
    MongoDatabase database = fixture.client.getDatabase("tests");
    String name = "clustered" + UUID.randomUUID();
    ClusteredIndexOptions byKey = new ClusteredIndexOptions(new Document("_id", 1), true);
    database.createCollection(name, new CreateCollectionOptions().clusteredIndexOptions(byKey));
    return database.getCollection(name);
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Document counted(Document document) {
    Long n = document.getLong("n");
    return document.append("n", n == null ? 1L : n + 1);
  }

  @Test
  @DisplayName("answers redeliveries of a native create with Duplicate")
  void nativeCreate() {
    MongoEntityStore<Document> store = MongoEntityStore.of(clustered());
    MongoNativeUpdate create = MongoNativeUpdate.of(Updates.inc("n", 1L)).createIfMissing();
    for (MongoNativeUpdate update : List.of(create, create.returning())) {
      EntityKey key = MongoFixture.key();
      MessageId message = id();
      assertTrue(store.update(message, key, update).isApplied());
      for (int again = 0; again < 3; again++) {
        assertInstanceOf(Outcome.Duplicate.class, store.update(message, key, update));
      }
      assertTrue(store.update(id(), key, update).isApplied());
      assertEquals(2L, store.find(key).orElseThrow().getLong("n"));
    }
  }

  @Test
  @DisplayName("lets functions that create the same entities at the same time be applied once each")
  void createRaces() throws Exception {
    MongoEntityStore<Document> store = MongoEntityStore.of(clustered());
    List<EntityKey> keys = new ArrayList<>();
    for (int i = 0; i < ENTITIES; i++) {
      keys.add(MongoFixture.key());
    }
    Phaser start = new Phaser(WRITERS);
    Callable<Integer> writer = () -> create(store, keys, start);
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        running.add(threads.submit(writer));
      }
      for (Future<Integer> one : running) {
        assertEquals(ENTITIES, one.get());
      }
    } finally {
      threads.shutdownNow();
    }
    keys.forEach(key -> assertEquals((long) WRITERS, store.find(key).orElseThrow().getLong("n")));
  }

  private static int create(MongoEntityStore<Document> store, List<EntityKey> keys, Phaser start) {
    int applied = 0;
    try {
      for (EntityKey key : keys) {
        start.arriveAndAwaitAdvance();
        boolean done = store.apply(id(), key, Document::new, ClusteredTest::counted).isApplied();
        applied += done ? 1 : 0;
      }
    } finally {
      start.arriveAndDeregister(); // a writer that fails does not keep the others waiting
    }
    return applied;
  }

  @Test
  @DisplayName("lets a batch of functions go on where another writer has created the entity since")
  void batch() {
    MongoEntityStore<Document> store = MongoEntityStore.of(clustered());
    EntityKey taken = MongoFixture.key();
    List<Write<Document>> writes = new ArrayList<>();
    for (EntityKey key : List.of(MongoFixture.key(), taken, MongoFixture.key())) {
      writes.add(Write.apply(id(), key, Document::new, ClusteredTest::counted));
    }
    var unused =
        fixture.commands.names(
            () -> store.writeAll(writes).forEach(ClusteredTest::assertApplied),
            name -> {
              if (name.equals("insert") && store.find(taken).isEmpty()) {
                assertTrue(
                    store.update(id(), taken, change().add("n", 1L).createIfMissing()).isApplied());
              }
            });
    assertEquals(2L, store.find(taken).orElseThrow().getLong("n"));
  }

  private static void assertApplied(Result<Document> result) {
    Result.Judged<?> judged = assertInstanceOf(Result.Judged.class, result);
    assertTrue(judged.outcome().isApplied());
  }

  @Test
  @DisplayName("leaves the user's own unique indexes to the user, whatever the values look like")
  void otherIndexes() {
    MongoCollection<Document> documents = clustered();
    documents.createIndex(Indexes.ascending("text"), new IndexOptions().unique(true).sparse(true));
    MongoEntityStore<Document> store = MongoEntityStore.of(documents);
    String text = "index: _id_ dup key: { _id: 1 }";
    EntityKey first = MongoFixture.key();
    assertTrue(store.apply(id(), first, Document::new, d -> d.append("text", text)).isApplied());
    EntityKey second = MongoFixture.key();
    assertThrows(
        InvalidChangeException.class,
        () -> store.apply(id(), second, Document::new, d -> d.append("text", text)).isApplied());
    assertTrue(store.find(second).isEmpty());
  }
}
