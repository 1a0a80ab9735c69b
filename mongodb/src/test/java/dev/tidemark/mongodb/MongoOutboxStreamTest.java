package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.mongodb.MongoOutboxStream.Event;
import dev.tidemark.mongodb.MongoOutboxStream.Tokens;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The change stream of an outbox")
final class MongoOutboxStreamTest {
  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final MongoCollection<Document> places = fixture.documents();
  private final List<Event> events = new ArrayList<>();
  private final List<Object> keys = new ArrayList<>();
  private MongoEntityStore<Document> store;
  private MongoOutbox outbox;
  private int sweeps;
  private boolean isFull;

  @BeforeEach
  void open() {
    store = MongoEntityStore.of(collection);
    outbox = MongoOutbox.of(collection);
    outbox.createIndex();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoOutboxStream stream() {
    return stream(Tokens.in(places, "relay"));
  }

  private MongoOutboxStream stream(Tokens tokens) {
    return MongoOutboxStream.builder(outbox, this::hinted)
        .tokens(tokens)
        .sweep(() -> sweeps++)
        .listener((event, error) -> events.add(event))
        .waiting(Duration.ofMillis(50))
        .savingEvery(Duration.ofMillis(1))
        .build();
  }

  private boolean hinted(int shard, Object key) {
    assertTrue(shard >= 0 && shard < outbox.shards());
    keys.add(key);
    return !isFull;
  }

  private void publish(String id, String... messages) {
    var change = change().add("n", 1).createIfMissing();
    for (String message : messages) {
      change = change.publish(OutgoingMessage.to("t", "p").id(message));
    }
    assertTrue(store.update(MessageId.of(UUID.randomUUID()), key(id), change).isApplied());
  }

  private void publishNative(String id) {
    MongoNativeUpdate update =
        MongoNativeUpdate.of(Updates.set("x", UUID.randomUUID().toString()))
            .publish(OutgoingMessage.to("t", "p"));
    assertTrue(store.update(MessageId.of(UUID.randomUUID()), key(id), update).isApplied());
  }

  private OutboxRecord due() {
    for (int shard = 0; shard < outbox.shards(); shard++) {
      List<OutboxRecord> found = outbox.due(shard, Long.MAX_VALUE, 1);
      if (!found.isEmpty()) {
        return found.get(0);
      }
    }
    throw new AssertionError("nothing is due");
  }

  private void clear() {
    OutboxRecord record = due();
    Set<String> all = new java.util.HashSet<>();
    record.waiting().forEach(message -> all.add(message.id()));
    outbox.write(List.of(new OutboxChange(record, all, Set.of(), Set.of(), 0, 0)));
  }

  /** Polls until something is told, or nothing was for some time. */
  private static int told(MongoOutboxStream stream) {
    int told = 0;
    for (int i = 0; i < 20 && told == 0; i++) {
      told = stream.poll();
    }
    return told;
  }

  private static void quiet(MongoOutboxStream stream) {
    for (int i = 0; i < 3; i++) {
      assertEquals(0, stream.poll());
    }
  }

  @Test
  @DisplayName("tells of each record once it comes to have messages, by its key, and of no other")
  void events() {
    try (MongoOutboxStream stream = stream()) {
      quiet(stream);
      publish("a", "m1");
      assertEquals(1, told(stream));
      assertEquals(due().key(), keys.get(0));
      assertEquals(1, outbox.read(keys.get(0)).orElseThrow().waiting().size());
      publish("a", "m2");
      publish("b");
      clear();
      quiet(stream);
      publishNative("a");
      assertEquals(1, told(stream));
      Document own = new Document("_id", 7).append("_outbox#shard", 3L);
      collection.insertOne(own);
      assertEquals(1, told(stream));
      collection.replaceOne(new Document("_id", 8), own.append("_id", 8), upsert());
      collection.replaceOne(new Document("_id", 8), own.append("x", 1), upsert());
      assertEquals(2, told(stream) + stream.poll());
      collection.deleteMany(new Document("_id", new Document("$in", List.of(7, 8))));
      OutboxRecord before = due();
      Set<String> id = Set.of(before.waiting().get(0).id());
      outbox.write(List.of(new OutboxChange(before, Set.of(), id, Set.of(), 0, 0)));
      quiet(stream);
      OutboxRecord parked = outbox.read(before.key()).orElseThrow();
      outbox.write(List.of(new OutboxChange(parked, Set.of(), Set.of(), id, 0, 0)));
      assertEquals(1, told(stream));
      assertEquals(6, keys.size());
      assertEquals(1, sweeps, "as it started without a place");
      assertEquals(List.of(), events);
    }
  }

  private static ReplaceOptions upsert() {
    return new ReplaceOptions().upsert(true);
  }

  @Test
  @DisplayName("goes on from where the process before it ended, and costs a request for each poll")
  void place() {
    try (MongoOutboxStream before = stream()) {
      quiet(before);
    }
    publish("a", "m1");
    publish("b", "m2");
    sweeps = 0;
    try (MongoOutboxStream stream = stream()) {
      assertEquals(2, told(stream));
      assertEquals(0, sweeps);
      quiet(stream);
      List<String> sent = fixture.commands.names(stream::poll);
      assertEquals(1, Collections.frequency(sent, "getMore"), sent::toString);
      assertTrue(sent.size() <= 2, sent::toString);
    }
    try (MongoOutboxStream stream = stream()) {
      quiet(stream);
    }
    assertEquals(List.of(), events);
  }

  @Test
  @DisplayName("keeps its place up to date while nothing happens in its collection")
  void quietCollection() {
    try (MongoOutboxStream stream = stream()) {
      quiet(stream);
      String early = stored();
      for (int i = 0; i < 200 && early.equals(stored()); i++) {
        fixture.documents().insertOne(new Document("_id", 1));
        assertEquals(0, stream.poll());
      }
      assertNotEquals(early, stored());
      assertTrue(stream.behind().compareTo(Duration.ofSeconds(1)) < 0);
    }
  }

  private String stored() {
    return Tokens.in(places, "relay").read().orElseThrow();
  }

  @Test
  @DisplayName("goes on after its collection was dropped and made again, and has all looked at")
  void dropped() {
    try (MongoOutboxStream stream = stream()) {
      quiet(stream);
      publish("a", "m1");
      assertEquals(1, told(stream));
      collection.drop();
      untilInvalidated(stream);
      publish("a", "m2");
      assertEquals(1, told(stream));
      assertEquals(2, sweeps);
      quiet(stream);
    }
    collection.drop();
    publish("a", "m3");
    try (MongoOutboxStream stream = stream()) {
      untilInvalidated(stream);
      assertEquals(1, told(stream), "what came between is told");
    }
    assertEquals(List.of(), events);
  }

  private void untilInvalidated(MongoOutboxStream stream) {
    for (int i = 0; i < 20 && events.isEmpty(); i++) {
      assertEquals(0, stream.poll());
    }
    assertEquals(List.of(Event.INVALIDATED), events);
    events.clear();
  }

  @Test
  @DisplayName("goes on after its collection was renamed")
  void renamed() {
    try (MongoOutboxStream stream = stream()) {
      publish("a", "m1");
      assertEquals(0, stream.poll(), "written before it was opened");
      collection.renameCollection(new MongoNamespace("tests", "r" + UUID.randomUUID()));
      untilInvalidated(stream);
      publish("a", "m2");
      assertEquals(1, told(stream));
    }
  }

  @Test
  @DisplayName("tells nothing of shards that only a writer of a later version knows")
  void unknownShards() {
    Tracking more = Tracking.defaults().outbox(100, 256);
    String later = "m";
    while (Outbox.shard(key(later), 256) < outbox.shards()) {
      later += "m";
    }
    try (MongoOutboxStream stream = stream()) {
      quiet(stream);
      MongoEntityStore.builder(collection)
          .tracking(more)
          .build()
          .update(
              MessageId.of(UUID.randomUUID()),
              key(later),
              change().add("n", 1).createIfMissing().publish("t", "p"));
      publish("a", "m1");
      assertEquals(1, told(stream));
      assertEquals(1, keys.size());
    }
  }

  @Test
  @DisplayName("has all shards looked at where a hint found no room")
  void full() {
    try (MongoOutboxStream stream = stream()) {
      quiet(stream);
      sweeps = 0;
      isFull = true;
      publish("a", "m1");
      assertEquals(1, told(stream));
      assertEquals(1, sweeps);
    }
  }

  @Test
  @DisplayName("goes on where its place can be neither read nor kept")
  void tokensFail() {
    Tokens broken =
        new Tokens() {
          @Override
          public java.util.Optional<String> read() {
            throw new IllegalStateException("read");
          }

          @Override
          public void write(String token) {
            throw new IllegalStateException("written");
          }
        };
    try (MongoOutboxStream stream = stream(broken)) {
      quiet(stream);
      publish("a", "m1");
      assertEquals(1, told(stream));
      assertEquals(1, sweeps);
    }
    assertEquals(Set.of(Event.TOKEN_FAILED), Set.copyOf(events));
  }

  @Test
  @DisplayName("ends a poll where its thread is interrupted, and goes on later")
  void interrupted() {
    try (MongoOutboxStream stream = stream()) {
      quiet(stream);
      Thread.currentThread().interrupt();
      assertEquals(0, stream.poll());
      assertTrue(Thread.interrupted());
      publish("a", "m1");
      assertEquals(1, told(stream));
    }
    assertEquals(List.of(), events);
  }

  @Test
  @DisplayName("keeps its place where it is closed by a thread that is interrupted")
  void interruptedClose() {
    String[] kept = new String[1];
    Tokens tokens =
        new Tokens() {
          @Override
          public Optional<String> read() {
            return Optional.empty();
          }

          @Override
          public void write(String token) {
            kept[0] = token + Thread.currentThread().isInterrupted();
          }
        };
    try (MongoOutboxStream stream =
        MongoOutboxStream.builder(outbox, this::hinted).tokens(tokens).build()) {
      stream.poll();
      Thread.currentThread().interrupt();
    }
    assertTrue(Thread.interrupted());
    assertTrue(kept[0].endsWith("false"), () -> kept[0]);
  }

  @Test
  @DisplayName("rests on a thread that was interrupted before, whose loop is no busy one")
  void interruptedBefore() {
    List<Boolean> rests = new ArrayList<>();
    MongoOutboxStreamBuilder builder =
        MongoOutboxStream.builder(outbox, this::hinted)
            .time(() -> 0, pause -> rests.add(Thread.currentThread().isInterrupted()));
    try (MongoOutboxStream stream = builder.build()) {
      Thread.currentThread().interrupt();
      assertEquals(0, stream.poll());
      assertEquals(0, stream.poll());
      assertTrue(Thread.interrupted());
    }
    assertEquals(List.of(false, false), rests);
  }

  @Test
  @DisplayName("wants times of at least a millisecond")
  void times() {
    MongoOutboxStreamBuilder builder = MongoOutboxStream.builder(outbox, this::hinted);
    assertThrows(IllegalArgumentException.class, () -> builder.waiting(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> builder.savingEvery(Duration.ofNanos(1)));
  }
}
