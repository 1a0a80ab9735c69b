package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.MessageId;
import dev.tidemark.NotBefore;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.execution.Executions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Of a server that does not answer, a client with a deadline of its own")
final class DeadlineTest {
  private static final Duration DEADLINE = Duration.ofSeconds(2);
  private static final int ANSWERS = 5;
  private static final Change COUNTED = change().createIfMissing().add("n", 1L);

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();
  private final MongoEntityStore<Document> direct = MongoEntityStore.of(documents);
  private final Proxied server = Proxied.open(DEADLINE);
  private final MongoEntityStore<Document> store =
      MongoEntityStore.of(server.collection(documents));

  @AfterEach
  void close() {
    server.close();
    fixture.close();
  }

  private long count(EntityKey key) {
    return direct.find(key).map(document -> document.getLong("n")).orElse(0L);
  }

  @Test
  @DisplayName("waits for three of them, and the message comes again")
  void write() {
    EntityKey key = MongoFixture.key();
    MessageId message = MessageId.of(UUID.randomUUID());
    server.proxy().swallowReplies(ANSWERS, () -> {});
    assertThrows(OutcomeUnknownException.class, () -> store.update(message, key, COUNTED));
    server.proxy().heal();
    assertTrue(store.update(message, key, COUNTED).isDone());
    assertEquals(1, count(key));
  }

  @Test
  @DisplayName("waits for three of them with a batch too")
  void batch() {
    List<Write<Document>> writes =
        Stream.generate(
                () ->
                    Write.<Document>update(
                        MessageId.of(UUID.randomUUID()), MongoFixture.key(), COUNTED))
            .limit(3)
            .toList();
    server.proxy().swallowReplies(ANSWERS, () -> {});
    for (Result<Document> result : store.writeAll(writes)) {
      Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, result);
      assertInstanceOf(OutcomeUnknownException.class, failed.fault());
    }
    server.proxy().heal();
    store.writeAll(writes).forEach(result -> assertInstanceOf(Result.Judged.class, result));
    writes.forEach(write -> assertEquals(1, count(write.key())));
  }

  @Test
  @DisplayName("waits for three of them with the write of a function")
  void functionWrite() {
    MongoEntityStore<Document> timed =
        MongoEntityStore.of(documents.withTimeout(30, TimeUnit.SECONDS));
    EntityKey key = MongoFixture.key();
    MessageId message = MessageId.of(UUID.randomUUID());
    UnaryOperator<Document> counted = document -> document.append("n", document.getLong("n") + 1);
    fail(List.of("update", "insert", "findAndModify"), 3);
    assertThrows(
        OutcomeUnknownException.class,
        () -> timed.apply(message, key, () -> new Document("n", 0L), counted));
    assertTrue(timed.apply(message, key, () -> new Document("n", 0L), counted).isDone());
    assertEquals(1, count(key));
  }

  @Test
  @DisplayName("waits for three of them with a batch whose entities want different commands")
  void mixedBatch() {
    MongoEntityStore<Document> timed =
        MongoEntityStore.of(documents.withTimeout(30, TimeUnit.SECONDS));
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writes.add(Write.update(MessageId.of(UUID.randomUUID()), MongoFixture.key(), COUNTED));
      writes.add(
          Write.apply(
              MessageId.of(UUID.randomUUID()),
              MongoFixture.key(),
              () -> new Document("n", 0L),
              document -> document.append("n", document.getLong("n") + 1)));
    }
    fail(List.of("find", "update", "insert", "findAndModify"), 3);
    timed.writeAll(writes).forEach(result -> assertInstanceOf(Result.Failed.class, result));
    timed.writeAll(writes).forEach(result -> assertInstanceOf(Result.Judged.class, result));
    writes.forEach(write -> assertEquals(1, count(write.key())));
  }

  @Test
  @DisplayName("waits for three of them with a key's claim")
  void claim() {
    String name = documents.getNamespace().getCollectionName();
    MongoDatabase database =
        server.client().getDatabase(documents.getNamespace().getDatabaseName());
    Executions orders = Executions.of("orders", MongoRecordStore.of(database.getCollection(name)));
    AtomicInteger acted = new AtomicInteger();
    server.proxy().swallowReplies(ANSWERS, () -> {});
    assertThrows(
        OutcomeUnknownException.class,
        () -> orders.run("1", null, Integer.class, steps -> acted.incrementAndGet()));
    assertEquals(0, acted.get());
  }

  @Test
  @DisplayName("waits for three of them in a read that waits for an event, and not for two")
  void look() {
    MongoEntityStore<Document> timed =
        MongoEntityStore.of(documents.withTimeout(30, TimeUnit.SECONDS));
    EntityKey key = MongoFixture.key();
    SourceEvent event = SourceEvent.of("O", "1", 1);
    timed.update(event, key, COUNTED);
    NotBefore soon = NotBefore.notBefore(event).within(Duration.ofSeconds(2));
    failReads(2);
    assertInstanceOf(Freshness.Fresh.class, timed.find(key, soon));
    failReads(3);
    assertThrows(ContentionException.class, () -> timed.find(key, soon));
  }

  @Test
  @DisplayName("waits for three of them in a read of an execution's record, and not for two")
  void record() {
    MongoRecordStore records = MongoRecordStore.of(documents.withTimeout(30, TimeUnit.SECONDS));
    failReads(2);
    assertEquals(Optional.empty(), records.read("1"));
    failReads(3);
    assertThrows(ContentionException.class, () -> records.read("1"));
  }

  @Test
  @DisplayName("waits for three of them in a look for records, and not for two")
  void looks() {
    MongoRecordStore records = MongoRecordStore.of(documents.withTimeout(30, TimeUnit.SECONDS));
    List<Supplier<List<String>>> looks =
        List.of(
            () -> records.due("flow", 0, 1, 1),
            () -> records.pending("flow", "", 1),
            () -> records.list("", null, 1));
    for (Supplier<List<String>> look : looks) {
      failReads(2);
      assertEquals(List.of(), look.get());
      failReads(3);
      assertThrows(ContentionException.class, look::get);
    }
  }

  private void failReads(int times) {
    fail(List.of("find"), times);
  }

  /** Lets the server say of commands that their time is over (MaxTimeMSExpired). */
  private void fail(List<String> commands, int times) {
    Document data = new Document("failCommands", commands).append("errorCode", 50);
    fixture
        .client
        .getDatabase("admin")
        .runCommand(
            new Document("configureFailPoint", "failCommand")
                .append("mode", new Document("times", times))
                .append("data", data));
  }
}
