package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ConnectionString;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "Law 4: the driver retries after a lost reply, and the server has no time for the retry")
final class RetriedContentionTest {
  private static final Change COUNTED = change().add("n", 1L).createIfMissing();
  private static final int WRITE_CONFLICT = 112;

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final MongoEntityStore<Document> other = MongoEntityStore.of(collection);
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private void count() {
    assertTrue(other.update(id(), key, COUNTED).isApplied());
  }

  private long n() {
    return other.find(key).orElseThrow().getLong("n");
  }

  /** A store whose next write is made, and answered only when the driver retries: by a conflict. */
  private final class Retried implements AutoCloseable {
    private final MongoProxy proxy;
    private final MongoClient client;
    private final MongoEntityStore<Document> store;

    Retried(Runnable between) {
      this(between, 1);
    }

    Retried(Runnable between, int conflicts) {
      ServerAddress address =
          new ServerAddress(new ConnectionString(MongoServers.uri()).getHosts().get(0));
      proxy = new MongoProxy(address.getHost(), address.getPort());
      client = MongoClients.create(MongoBackend.settings(proxy.port()).build());
      store =
          MongoEntityStore.of(
              client
                  .getDatabase(collection.getNamespace().getDatabaseName())
                  .getCollection(collection.getNamespace().getCollectionName()));
      proxy.loseReplies(
          0,
          1,
          () -> {
            between.run();
            proxy.refuse(conflicts, WRITE_CONFLICT);
          });
    }

    @Override
    public void close() {
      client.close();
      proxy.close();
    }
  }

  @Test
  @DisplayName("another writer came since: nobody knows, and a redelivery settles it")
  void unknown() {
    count();
    MessageId message = id();
    try (Retried retried = new Retried(this::count)) {
      assertThrows(
          OutcomeUnknownException.class,
          () -> retried.store.update(message, key, COUNTED).isApplied());
      assertInstanceOf(Outcome.Duplicate.class, retried.store.update(message, key, COUNTED));
    }
    assertEquals(3, n());
  }

  @Test
  @DisplayName("nobody came since: Applied, once")
  void applied() {
    count();
    try (Retried retried = new Retried(() -> {})) {
      assertTrue(retried.store.update(id(), key, COUNTED).isApplied());
    }
    assertEquals(2, n());
  }

  @Test
  @DisplayName("nor for any other: what is stored tells at the end, so that nobody says Contention")
  void lasting() {
    count();
    try (Retried retried = new Retried(() -> {}, 1_000)) {
      assertTrue(retried.store.update(id(), key, COUNTED).isApplied());
    }
    MessageId message = id();
    try (Retried retried = new Retried(this::count, 1_000)) {
      assertThrows(
          OutcomeUnknownException.class, () -> retried.store.update(message, key, COUNTED));
    }
    assertInstanceOf(Outcome.Duplicate.class, other.update(message, key, COUNTED));
    assertEquals(4, n());
  }

  @Test
  @DisplayName("so it is for a batch")
  void batch() {
    count();
    List<Write<Document>> writes =
        List.of(Write.update(id(), key, COUNTED), Write.update(id(), MongoFixture.key(), COUNTED));
    try (Retried retried = new Retried(this::count)) {
      List<Result<Document>> results = retried.store.writeAll(writes);
      Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, results.get(0));
      assertInstanceOf(OutcomeUnknownException.class, failed.fault());
      Result.Judged<?> judged = assertInstanceOf(Result.Judged.class, results.get(1));
      assertTrue(judged.outcome().isApplied());
      retried
          .store
          .writeAll(writes)
          .forEach(
              result -> {
                Result.Judged<?> again = assertInstanceOf(Result.Judged.class, result);
                assertInstanceOf(Outcome.Duplicate.class, again.outcome());
              });
    }
    assertEquals(3, n());
  }
}
