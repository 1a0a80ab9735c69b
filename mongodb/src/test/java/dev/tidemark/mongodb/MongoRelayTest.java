package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Write;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A relay on MongoDB")
@Timeout(20)
final class MongoRelayTest {
  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final Queue<String> sent = new ConcurrentLinkedQueue<>();
  private MongoEntityStore<Document> store;
  private MongoOutbox outbox;

  @BeforeEach
  void open() {
    store = MongoEntityStore.of(collection);
    outbox = MongoOutbox.of(collection);
    outbox.createIndex();
  }

  @AfterEach
  void close() {
    collection.drop();
    fixture.close();
  }

  private static Write<Document> publishing(String entity, String... messages) {
    var change = change().add("n", 1).createIfMissing();
    for (String message : messages) {
      change = change.publish(OutgoingMessage.to("t", "p").id(message));
    }
    return Write.update(MessageId.of(UUID.randomUUID()), key(entity), change);
  }

  @Test
  @DisplayName(
      "takes at most a request for five messages, of which it looks for all shards by four")
  void cost() {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      writes.add(publishing("e" + i, "a" + i));
    }
    store.writeAll(writes).forEach(result -> assertTrue(result.isDone()));
    Relay relay =
        Relay.builder(outbox, Sender.each(message -> sent.add(message.id()))).batch(150).build();
    List<String> requests =
        fixture.commands.names(() -> assertEquals(400, relay.sweep().sent(), "all at once"));
    assertEquals(List.of("find", "find", "find", "find", "update"), requests, "400 messages");
    assertEquals(
        0, collection.countDocuments(new Document("_outbox#shard", new Document("$exists", true))));
    requests = fixture.commands.names(() -> assertEquals(0, relay.sweep().sent()));
    assertEquals(List.of("find", "find", "find", "find"), requests);
  }

  @Test
  @DisplayName("is told by a stream what to send, and does not wait for its next look")
  void byStream() throws Exception {
    CountDownLatch looked = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(42);
    Relay relay =
        Relay.builder(outbox, Sender.each(message -> sent(message.id(), all)))
            .interval(Duration.ofHours(1))
            .listener(pass -> looked.countDown())
            .build();
    Thread running = new Thread(relay::run);
    try (MongoOutboxStream stream =
        MongoOutboxStream.builder(outbox, relay::hint).waiting(Duration.ofMillis(50)).build()) {
      assertEquals(0, stream.poll());
      running.start();
      looked.await();
      for (int i = 0; i < 20; i++) {
        assertTrue(store.write(publishing("e" + i, "a" + i, "b" + i)).isApplied());
      }
      assertTrue(store.write(publishing("late", "first")).isApplied());
      while (all.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
        int unused = stream.poll();
      }
    } finally {
      relay.stop();
      running.join();
    }
    assertEquals(42, sent.size());
  }

  /** While one is sent, another is published by the same entity. */
  private void sent(String id, CountDownLatch all) {
    sent.add(id);
    if (id.equals("first")) {
      assertTrue(store.write(publishing("late", "second")).isApplied());
    }
    all.countDown();
  }
}
