package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.TooLargeException;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A bulk on MongoDB that fails as a whole")
final class BulkTest {
  private static final int MEGABYTE = 1 << 20;
  private static final int PATIENCE = 3_000;
  private static final int BAD_VALUE = 2;

  /** How long a client waits for a reply, and whether it asks again by itself. */
  private enum Timeout {
    OF_SOCKET,
    OF_SOCKET_ONCE,
    OF_CLIENT;

    int tries() {
      return this == OF_SOCKET ? 2 : 1;
    }

    void into(MongoClientSettings.Builder settings) {
      if (this == OF_CLIENT) {
        settings.timeout(PATIENCE, TimeUnit.MILLISECONDS);
      } else {
        settings
            .retryWrites(this == OF_SOCKET)
            .applyToSocketSettings(s -> s.readTimeout(PATIENCE, TimeUnit.MILLISECONDS));
      }
    }
  }

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

  private static Write<Document> update(EntityKey key) {
    return Write.update(id(), key, change().createIfMissing().add("n", 1L));
  }

  private static Write<Document> function(EntityKey key) {
    return Write.apply(id(), key, Document::new, BulkTest::counted);
  }

  private static Document counted(Document document) {
    Long n = document.getLong("n");
    return document.append("n", n == null ? 1L : n + 1);
  }

  private long count(EntityKey key) {
    return store.find(key).map(document -> document.getLong("n")).orElse(0L);
  }

  private static String word(Result<Document> result) {
    if (result instanceof Result.Failed<Document> failed) {
      return failed.fault().getClass().getSimpleName();
    }
    return ((Result.Judged<Document>) result).outcome().getClass().getSimpleName();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("since its reply does not come in time: what was written is Applied, once")
  void timeout(Timeout timeout) {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      EntityKey key = MongoFixture.key();
      writes.add(i % 2 == 0 ? update(key) : function(key));
      writes.add(i % 2 == 0 ? update(key) : function(key));
    }
    EntityKey busy = writes.get(0).key();
    try (Slow slow = new Slow(timeout)) {
      assertWords("Applied", slow.store.writeAll(writes));
      writes.forEach(write -> assertEquals(2, count(write.key())));
      List<Write<Document>> more = writes.stream().map(write -> update(write.key())).toList();
      slow.proxy.swallowReplies(
          timeout.tries(), () -> store.update(id(), busy, change().add("n", 1L)));
      List<Result<Document>> results = slow.store.writeAll(more);
      assertEquals(
          List.of("OutcomeUnknownException", "OutcomeUnknownException"),
          results.subList(0, 2).stream().map(BulkTest::word).toList());
      assertWords("Applied", results.subList(2, results.size()));
      assertWords("Duplicate", store.writeAll(more));
      assertWords("Duplicate", store.writeAll(writes));
    }
    writes.forEach(write -> assertEquals(write.key().equals(busy) ? 5 : 4, count(write.key())));
  }

  private static void assertWords(String word, List<Result<Document>> results) {
    assertEquals(
        Collections.nCopies(results.size(), word), results.stream().map(BulkTest::word).toList());
  }

  /** A store behind a proxy that swallows the reply of the first bulk. */
  private final class Slow implements AutoCloseable {
    private final MongoProxy proxy;
    private final MongoClient client;
    private final MongoEntityStore<Document> store;

    Slow(Timeout timeout) {
      ServerAddress address =
          new ServerAddress(new ConnectionString(MongoServers.uri()).getHosts().get(0));
      proxy = new MongoProxy(address.getHost(), address.getPort());
      MongoClientSettings.Builder settings = MongoBackend.settings(proxy.port());
      timeout.into(settings);
      client = MongoClients.create(settings.build());
      store =
          MongoEntityStore.of(
              client
                  .getDatabase("tests")
                  .getCollection(collection.getNamespace().getCollectionName()));
      proxy.swallowReplies(timeout.tries(), () -> {});
    }

    @Override
    public void close() {
      client.close();
      proxy.close();
    }
  }

  @Test
  @DisplayName("since one function makes a document too large: that one fails alone")
  void oneTooLarge() {
    List<Write<Document>> writes = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      EntityKey key = MongoFixture.key();
      for (int message = 0; message < 4; message++) {
        boolean large = i == 3 && message == 2;
        writes.add(large ? grows(key, 17) : function(key));
        expected.add(large ? TooLargeException.class.getSimpleName() : "Applied");
      }
    }
    List<Result<Document>> results = store.writeAll(writes);
    assertEquals(expected, results.stream().map(BulkTest::word).toList());
    for (int i = 0; i < 8; i++) {
      assertEquals(i == 3 ? 3 : 4, count(writes.get(4 * i).key()), "entity " + i);
    }
  }

  @Test
  @DisplayName("is not one whose messages have long IDs, which a read of them would repeat")
  void longIds() {
    EntityKey key = MongoFixture.key();
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      MessageId id = MessageId.of("x".repeat(8_000) + i);
      writes.add(Write.apply(id, key, Document::new, BulkTest::counted));
    }
    assertWords("Applied", store.writeAll(writes));
    assertWords("Duplicate", store.writeAll(writes));
    assertEquals(500, count(key));
  }

  @Test
  @DisplayName("is not one whose keys are more than a read of them takes in one command")
  void longKeys() {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 2_200; i++) {
      writes.add(function(EntityKey.key("x".repeat(8_000) + UUID.randomUUID())));
    }
    assertWords("Applied", store.writeAll(writes));
    assertWords("Duplicate", store.writeAll(writes));
    MongoNativeUpdate adds = MongoNativeUpdate.of(Updates.inc("n", 1L));
    List<Write<Document>> own = new ArrayList<>(writes.subList(0, 1));
    writes.forEach(write -> own.add(Write.update(id(), write.key(), adds)));
    List<Result<Document>> results = store.writeAll(own);
    assertEquals("Duplicate", word(results.get(0)));
    assertWords("Applied", results.subList(1, results.size()));
    assertEquals(2, count(writes.get(0).key()));
    try (ClientSession session = fixture.client.startSession()) {
      session.startTransaction();
      MongoEntityStore<Document> joined = store.in(session);
      var error = assertThrows(RuntimeException.class, () -> joined.writeAll(own));
      String again = MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL;
      assertFalse(
          error instanceof MongoException e && e.hasErrorLabel(again), "none comes to an end");
    }
  }

  private static Write<Document> grows(EntityKey key, int megabytes) {
    return Write.apply(
        id(),
        key,
        Document::new,
        document -> counted(document).append("big", "x".repeat(megabytes * MEGABYTE)));
  }

  @Test
  @DisplayName("larger than a command takes, one of it too large: the others are Applied, once")
  void largerThanCommand() {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      writes.add(grows(MongoFixture.key(), i == 4 ? 17 : 12));
    }
    List<Result<Document>> results = store.writeAll(writes);
    assertEquals(
        List.of("Applied", "Applied", "Applied", "Applied", "TooLargeException", "Applied"),
        results.stream().map(BulkTest::word).toList());
    for (int i = 0; i < 6; i++) {
      assertEquals(i == 4 ? 0 : 1, count(writes.get(i).key()), "entity " + i);
    }
  }

  @Test
  @DisplayName("in its second part, as the driver parts it: the first was made, and is told so")
  void inParts() {
    try (Proxied server = Proxied.open()) {
      MongoProxy proxy = server.proxy();
      MongoEntityStore<Document> behind = MongoEntityStore.of(server.collection(collection));
      proxy.refuse(1, 1, BAD_VALUE, () -> {});
      assertWords("Applied", behind.writeAll(large(6)));
      List<Write<Document>> writes = large(6);
      EntityKey first = writes.get(0).key();
      Runnable another = () -> store.update(id(), first, change().add("n", 1L));
      proxy.refuse(1, 1, BAD_VALUE, another);
      List<Result<Document>> results = behind.writeAll(writes);
      assertEquals("OutcomeUnknownException", word(results.get(0)));
      assertWords("Applied", results.subList(1, results.size()));
      assertWords("Duplicate", store.writeAll(writes));
      assertEquals(2, count(first));
    }
  }

  private static List<Write<Document>> large(int count) {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writes.add(grows(MongoFixture.key(), 12));
    }
    return writes;
  }

  @Test
  @DisplayName("takes only those of its kind with it: what was inserted beside it is Applied")
  void ofOneKind() {
    EntityKey there = MongoFixture.key();
    store.update(id(), there, change().createIfMissing().add("n", 1L));
    Document failure =
        new Document("failCommands", List.of("update")).append("errorCode", BAD_VALUE);
    fixture
        .client
        .getDatabase("admin")
        .runCommand(
            new Document("configureFailPoint", "failCommand")
                .append("mode", new Document("times", 1))
                .append("data", failure));
    List<Write<Document>> writes = List.of(function(MongoFixture.key()), function(there));
    assertEquals(
        List.of("Applied", "InvalidChangeException"),
        store.writeAll(writes).stream().map(BulkTest::word).toList());
    assertEquals(
        List.of("Duplicate", "Applied"),
        store.writeAll(writes).stream().map(BulkTest::word).toList());
  }
}
