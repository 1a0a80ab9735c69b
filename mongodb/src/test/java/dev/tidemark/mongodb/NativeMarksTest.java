package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.marks.Marks;
import java.util.List;
import java.util.UUID;
import org.bson.BsonBinarySubType;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a user's own operators meet: nulls among the marks, and tombstones")
final class NativeMarksTest {
  private static final List<String> NULLS =
      List.of(
          "{events: null}",
          "{events: {Order: null}}",
          "{events: {Order: {'1': null, '1#seen': null, '1#horizon': null}}}",
          "{messageIDs: null, 'messageIDs#since': null, 'messageIDs#closed': null}",
          "{deletedUntil: null, _rev: null, _born: null}");
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(5),
          EventPolicy.sparseWindow(5));
  private static final Change COUNT = Change.change().add("n", 1);

  private final MongoFixture fixture = new MongoFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static SourceEvent event(long version) {
    return SourceEvent.of("Order", "1", version);
  }

  /** A way to add one to a field of a document that is there. */
  private interface Call {
    Outcome<Document> make(MongoEntityStore<Document> store, Message message, EntityKey key);
  }

  private void overNulls(String what, Call call) {
    MongoCollection<Document> documents = fixture.documents();
    for (EventPolicy policy : POLICIES) {
      MongoEntityStore<Document> store =
          MongoEntityStore.builder(documents).tracking(Tracking.defaults().events(policy)).build();
      for (String nulls : NULLS) {
        for (Message message : List.<Message>of(event(1), MessageId.of(UUID.randomUUID()))) {
          String id = UUID.randomUUID().toString();
          documents.insertOne(Document.parse(nulls).append("_id", id).append("n", 0L));
          String at = what + " of " + message + " over " + nulls + " under " + policy;
          Outcome<Document> first = call.make(store, message, EntityKey.key(id));
          assertTrue(first.isApplied(), () -> first + ": " + at);
          Outcome<Document> again = call.make(store, message, EntityKey.key(id));
          assertInstanceOf(Outcome.Duplicate.class, again, at);
          assertEquals(1L, store.find(EntityKey.key(id)).orElseThrow().getLong("n"), at);
        }
      }
    }
  }

  @Test
  @DisplayName("operators are applied over nulls, once")
  void operators() {
    overNulls(
        "operators", (store, message, key) -> store.update(message, key, Updates.inc("n", 1L)));
  }

  @Test
  @DisplayName("so are changes, functions and batches, wherever the null stands")
  void others() {
    overNulls("change", (store, message, key) -> store.update(message, key, COUNT));
    overNulls("function", (store, message, key) -> store.apply(message, key, this::counted));
    overNulls("batch", (s, message, key) -> made(s, Write.update(message, key, COUNT)));
    overNulls("batch", (s, message, key) -> made(s, Write.apply(message, key, this::counted)));
  }

  private Document counted(Document document) {
    return new Document(document).append("n", document.getLong("n") + 1);
  }

  private static Outcome<Document> made(MongoEntityStore<Document> store, Write<Document> write) {
    Result<Document> result = store.writeAll(List.of(write)).get(0);
    if (result instanceof Result.Judged<Document> judged) {
      return judged.outcome();
    }
    throw new AssertionError("expected an outcome but was " + result);
  }

  @Test
  @DisplayName("an expiry that is a number and no date is a fault, and is left")
  void noDate() {
    MongoCollection<Document> documents = fixture.documents();
    MongoEntityStore<Document> store = MongoEntityStore.of(documents);
    for (EntityUpdate update :
        List.of(
            COUNT,
            COUNT.createIfMissing().recreate(),
            MongoNativeUpdate.of(Updates.inc("n", 1L)).createIfMissing().recreate())) {
      for (Object expiry : List.of(5, 4_102_444_800_000L, "4102444800000")) {
        String id = UUID.randomUUID().toString();
        Document stored = new Document("_id", id).append("deletedUntil", expiry);
        documents.insertOne(stored);
        for (Message message : List.of(event(1), MessageId.of(UUID.randomUUID()))) {
          assertThrows(
              CorruptRecordException.class,
              () -> store.update(message, EntityKey.key(id), update),
              () -> update + " " + message + " " + expiry);
        }
        assertEquals(stored, documents.find(Filters.eq(id)).first());
      }
    }
  }

  @Test
  @DisplayName("a document whose revision is null is unchanged since it was read")
  void unchanged() {
    String id = UUID.randomUUID().toString();
    MongoCollection<Document> documents = fixture.documents();
    documents.insertOne(new Document("_id", id).append("_rev", null));
    long found =
        documents.countDocuments(Filters.and(Filters.eq(id), MongoMarks.unchanged(Marks.none())));
    assertEquals(1, found);
  }

  @Test
  @DisplayName("operators that meet a tombstone record the event of a dense source there")
  void tombstones() {
    for (EventPolicy policy : List.of(EventPolicy.contiguous(), EventPolicy.denseWindow(5))) {
      MongoEntityStore<Document> store =
          MongoEntityStore.builder(fixture.documents())
              .tracking(Tracking.defaults().events(policy))
              .build();
      EntityKey key = MongoFixture.key();
      assertTrue(store.update(event(1), key, COUNT.createIfMissing()).isApplied());
      assertTrue(store.delete(event(2), key).isApplied());
      MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1L)).createIfMissing();
      for (int position = 3; position <= 40; position++) {
        assertEquals(new Outcome.Deleted<>(), store.update(event(position), key, update));
      }
      assertInstanceOf(Outcome.Duplicate.class, store.update(event(40), key, update));
      assertTrue(store.find(key).isEmpty());
      Outcome<Document> revived = store.update(event(41), key, update.recreate());
      assertTrue(revived.isApplied());
    }
  }

  @Test
  @DisplayName("what another wrote beside the marks does not make a fault of what was applied")
  void foreignMarks() {
    MongoCollection<Document> documents = fixture.documents();
    Binary revision = new Binary(BsonBinarySubType.UUID_STANDARD, new byte[16]);
    documents.insertOne(
        Document.parse("{_id: 'k', n: 1, events: {Other: 5}}").append("_rev", revision));
    MongoEntityStore<Document> store = MongoEntityStore.of(documents);
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1)).returning();
    Outcome<Document> outcome = store.update(event(1), EntityKey.key("k"), update);
    assertTrue(outcome.isApplied());
    assertEquals(2, outcome.entity().orElseThrow().getInteger("n"));
  }
}
