package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
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
}
