package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.DocumentCodec;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A broker that is away makes no incoming message a dead letter, and no entity unreadable. */
@DisplayName("A document that is filled up by messages which wait to be sent")
final class FullDocumentTest {
  private static final String LARGE = "x".repeat(3_000_000);

  /** More than there is room for beside the messages. */
  private static final String NO_ROOM = LARGE.repeat(3);

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(collection);
  private final MongoOutbox outbox = MongoOutbox.of(collection);
  private final EntityKey full = key("full");
  private final Message first = message();

  @BeforeEach
  void fill() {
    outbox.createIndex();
    assertTrue(store.update(first, full, says(3)).isApplied());
  }

  @AfterEach
  void close() {
    collection.drop();
    fixture.close();
  }

  private static Message message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Change says(int messages) {
    Change change = change().add("total", 1L).createIfMissing();
    for (int i = 0; i < messages; i++) {
      change = change.publish(OutgoingMessage.to("orders", LARGE));
    }
    return change;
  }

  private static Change counts() {
    return change().add("total", 1L);
  }

  private static long total(Outcome<Document> outcome) {
    return ((Outcome.Applied<Document>) outcome).entity().orElseThrow().getLong("total");
  }

  private static Decision<Document> counted(Document view) {
    return Decision.to(new Document(view).append("total", view.getLong("total") + 1));
  }

  @Test
  @DisplayName("is read, in whatever way")
  void isRead() {
    assertEquals(1, store.find(full).orElseThrow().getLong("total"));
    assertEquals(2, total(store.decide(message(), full, FullDocumentTest::counted)));
    MongoNativeUpdate own = MongoNativeUpdate.of(Updates.inc("total", 1L)).returning();
    assertEquals(3, total(store.update(message(), full, own)));
    MongoNativeUpdate ruled = own.onlyIf(Filters.eq("total", 99));
    assertInstanceOf(Outcome.Refused.class, store.update(message(), full, ruled));
    assertInstanceOf(Outcome.Duplicate.class, store.update(first, full, own));
    List<Write<Document>> both =
        List.of(
            Write.update(message(), full, counts()),
            Write.update(first, full, counts()),
            Write.decide(message(), full, FullDocumentTest::counted));
    assertTrue(store.writeAll(both).stream().allMatch(result -> result.isDone()));
    assertEquals(5, store.find(full).orElseThrow().getLong("total"));
  }

  @Test
  @DisplayName("comes back with a portable change that publishes more")
  void image() {
    Change more = counts().publish(OutgoingMessage.to("orders", "small")).returning();
    assertEquals(2, total(store.update(message(), full, more)));
    Change refused = more.onlyIf(attribute("total").is(99L));
    assertInstanceOf(Outcome.Refused.class, store.update(message(), full, refused));
  }

  @Test
  @DisplayName("is read with all of its marks by a class that carries them")
  void marks() {
    MongoCollection<Order> orders = fixture.orders();
    MongoEntityStore<Order> typed = MongoEntityStore.of(orders);
    Change places = says(3).set("state", "PLACED").set("lines", List.of());
    assertTrue(typed.update(first, full, places).isApplied());
    Outcome<Order> paid = typed.decide(message(), full, order -> Decision.to(order.paid(1)));
    assertTrue(paid.isApplied());
    Change more = counts().publish(OutgoingMessage.to("orders", "small")).returning();
    Runnable update =
        () -> assertInstanceOf(Outcome.Applied.class, typed.update(message(), full, more));
    assertEquals(List.of("findAndModify"), fixture.commands.names(update));
    assertEquals(3, typed.find(full).orElseThrow().total());
    orders.drop();
  }

  private void assertWaits(Supplier<?> call) {
    ContentionException fault = assertThrows(ContentionException.class, call::get);
    assertTrue(fault.isRetryable());
    assertEquals(full, fault.key().orElseThrow());
  }

  private void send() {
    for (int shard = 0; shard < Tracking.defaults().outboxShards(); shard++) {
      for (OutboxRecord due : outbox.due(shard, Long.MAX_VALUE, 9)) {
        Set<String> ids = due.waiting().stream().map(OutboxMessage::id).collect(toSet());
        OutboxChange taking = new OutboxChange(due, ids, Set.of(), Set.of(), 0, 0);
        assertInstanceOf(Answer.Written.class, outbox.write(List.of(taking)).get(0));
      }
    }
  }

  @Test
  @DisplayName("has room once they are sent, whatever is to be written, and is no message's fault")
  void waits() {
    Change large = change().set("note", NO_ROOM);
    Bson set = Updates.set("note", NO_ROOM);
    assertWaits(() -> store.update(message(), full, says(3)));
    assertWaits(() -> store.update(message(), full, large));
    assertWaits(() -> store.update(SourceEvent.of("Order", "1", 1), full, large));
    assertWaits(() -> store.update(message(), full, large.onlyIf(attribute("total").is(1L))));
    assertWaits(() -> store.update(message(), full, set));
    assertWaits(() -> store.decide(message(), full, view -> Decision.to(noted(view))));
    Change refused = large.onlyIf(attribute("total").is(99L));
    assertInstanceOf(Outcome.Refused.class, store.update(message(), full, refused));
    assertInstanceOf(Outcome.Duplicate.class, store.update(first, full, large));
    List<Result<Document>> results =
        store.writeAll(
            List.of(
                Write.update(message(), full, counts()),
                Write.update(message(), full, large),
                Write.update(message(), full, counts())));
    assertEquals(
        List.of(true, false, true), results.stream().map(Result.Judged.class::isInstance).toList());
    send();
    assertTrue(store.update(message(), full, large).isApplied());
    Change tooLarge = change().set("more", NO_ROOM);
    assertThrows(TooLargeException.class, () -> store.update(message(), full, tooLarge));
    Bson push = Updates.push("more", NO_ROOM);
    assertThrows(TooLargeException.class, () -> store.update(message(), full, push));
  }

  private static Document noted(Document view) {
    return new Document(view).append("note", NO_ROOM);
  }

  @Test
  @DisplayName("is full no longer for who recalls it, once they are sent")
  void recalled() {
    MongoEntityStore<Document> recalling =
        MongoEntityStore.builder(collection)
            .markCache(MarkCache.in(new ConcurrentHashMap<>()))
            .build();
    SourceEvent one = SourceEvent.of("Order", "1", 1);
    assertTrue(recalling.decide(one, full, FullDocumentTest::counted).isApplied());
    send();
    SourceEvent two = SourceEvent.of("Order", "1", 2);
    assertThrows(
        TooLargeException.class,
        () ->
            recalling.decide(two, full, view -> Decision.to(noted(view).append("more", NO_ROOM))));
  }

  @Test
  @DisplayName("takes a write that it had no room for, if they are sent before it is looked at")
  void sentMeanwhile() {
    AtomicReference<Outcome<Document>> outcome = new AtomicReference<>();
    AtomicBoolean sent = new AtomicBoolean();
    Runnable write =
        () -> outcome.set(store.update(message(), full, change().set("note", NO_ROOM)));
    Consumer<String> beforeRead =
        command -> {
          if (command.equals("find") && !sent.getAndSet(true)) {
            send();
          }
        };
    assertEquals(3, fixture.commands.names(write, beforeRead).size());
    assertTrue(outcome.get().isApplied());
  }

  @Test
  @DisplayName("has room once they are sent for a transaction, too")
  void inTransaction() {
    EntityKey other = key("other");
    Message message = message();
    Change large = change().set("note", NO_ROOM);
    Supplier<MongoTransaction> both =
        () ->
            MongoTransaction.on(fixture.client)
                .write(store, Write.update(message, other, says(1)))
                .write(store, Write.update(message, full, large));
    assertWaits(() -> both.get().commit());
    assertTrue(store.find(other).isEmpty());
    try (ClientSession session = fixture.client.startSession()) {
      session.startTransaction();
      assertWaits(() -> store.in(session).update(message, full, large));
    }
    send();
    assertTrue(both.get().commit().isCommitted());
    Change tooLarge = change().set("more", NO_ROOM);
    MongoTransaction alone =
        MongoTransaction.on(fixture.client).write(store, Write.update(message(), full, tooLarge));
    assertThrows(TooLargeException.class, alone::commit);
  }

  @Test
  @DisplayName("to its last byte, with marks of a thousand sources, is read, too")
  void toLastByte() {
    Document of = new Document();
    for (int i = 0; i < 1_000; i++) {
      of.append("a source of a name that takes some bytes " + i, 1L);
    }
    EntityKey brim = key("brim");
    Document stored =
        new Document("_id", brim.parts().get(0))
            .append("total", 1L)
            .append("events", new Document("Order", of))
            .append("filler", "");
    int left = 16 * 1024 * 1024 - 600 - bytes(stored);
    collection.insertOne(stored.append("filler", "y".repeat(left)));
    assertEquals(2, total(store.update(message(), brim, counts().returning())));
    assertEquals(3, total(store.decide(message(), brim, FullDocumentTest::counted)));
  }

  private static int bytes(Document document) {
    return new RawBsonDocument(document, new DocumentCodec()).getByteBuffer().remaining();
  }
}
