package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Native updates by a user's own operators")
final class NativeUpdateTest {
  private final MongoFixture fixture = new MongoFixture();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(fixture.documents());
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private static SourceEvent event(long version) {
    return SourceEvent.of("Order", "1", version);
  }

  private void create() {
    Change change = Change.change().set("n", 1L).createIfMissing();
    assertTrue(store.update(id(), key, change).isApplied());
  }

  @Test
  @DisplayName("operators, guard and mark are one command; a repetition is Duplicate in two")
  void merges() {
    create();
    MessageId message = id();
    MongoNativeUpdate update =
        MongoNativeUpdate.of(
            Updates.combine(
                Updates.inc("n", 5L), Updates.push("list", "x"), Updates.max("highest", 7)));
    List<String> sent =
        fixture.commands.names(() -> assertTrue(store.update(message, key, update).isApplied()));
    assertEquals(List.of("update"), sent);
    List<String> again =
        fixture.commands.names(
            () -> assertInstanceOf(Outcome.Duplicate.class, store.update(message, key, update)));
    assertEquals(List.of("update", "find"), again);
    Document document = store.find(key).orElseThrow();
    assertEquals(6L, document.getLong("n"));
    assertEquals(List.of("x"), document.getList("list", String.class));
    assertFalse(document.containsKey("_rev"), "marks stay out of documents");
  }

  @Test
  @DisplayName("so are those of a first call, which knows nothing of the server")
  void first() {
    MongoCollection<Document> documents = fixture.documents();
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1L)).createIfMissing();
    MongoEntityStore<Document> first = MongoEntityStore.of(documents);
    MessageId message = id();
    assertEquals(
        List.of("update"), fixture.commands.names(() -> first.update(message, key, update)));
    MongoEntityStore<Document> second = MongoEntityStore.of(documents);
    assertInstanceOf(Outcome.Duplicate.class, second.update(message, key, update));
    assertEquals(1L, second.find(key).orElseThrow().getLong("n"));
  }

  @Test
  @DisplayName("a filter that does not match is Refused, after the marks have judged")
  void conditions() {
    create();
    MongoNativeUpdate ruled =
        MongoNativeUpdate.of(Updates.inc("n", 1L)).onlyIf(Filters.lt("n", 2L));
    assertTrue(store.update(event(1), key, ruled).isApplied());
    assertInstanceOf(Outcome.Duplicate.class, store.update(event(1), key, ruled));
    assertInstanceOf(Outcome.Refused.class, store.update(event(2), key, ruled));
    Outcome<Document> skipped = store.update(event(2), key, ruled.otherwiseSkip());
    assertTrue(skipped instanceof Outcome.Refused<Document> refused && refused.recorded());
    assertInstanceOf(Outcome.Duplicate.class, store.update(event(2), key, ruled));
  }

  @Test
  @DisplayName("creates where asked to, revives only where told to, and returns the entity")
  void creates() {
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1L));
    assertInstanceOf(Outcome.Missing.class, store.update(id(), key, update));
    assertTrue(store.find(key).isEmpty());
    Outcome<Document> made = store.update(event(1), key, update.createIfMissing().returning());
    assertTrue(made instanceof Outcome.Applied<Document> applied && applied.created());
    assertEquals(1L, made.entity().orElseThrow().getLong("n"));
    assertTrue(store.delete(event(2), key).isApplied());
    assertInstanceOf(Outcome.Stale.class, store.update(event(1), key, update.createIfMissing()));
    assertInstanceOf(Outcome.Deleted.class, store.update(event(3), key, update.createIfMissing()));
    Outcome<Document> revived = store.update(event(3), key, update.recreate().returning());
    assertTrue(revived instanceof Outcome.Applied<Document> applied && applied.created());
    assertEquals(1L, revived.entity().orElseThrow().getLong("n"));
    assertInstanceOf(Outcome.Stale.class, store.update(event(1), key, update));
  }

  @Test
  @DisplayName("array filters say which elements are meant")
  void arrayFilters() {
    Change change =
        Change.change().set("lines", List.of(new Document("q", 1), new Document("q", 9)));
    assertTrue(store.update(id(), key, change.createIfMissing()).isApplied());
    MongoNativeUpdate update =
        MongoNativeUpdate.of(Updates.inc("lines.$[big].q", 1))
            .arrayFilters(List.of(Filters.gt("big.q", 5)));
    assertTrue(store.update(id(), key, update).isApplied());
    assertEquals(
        List.of(new Document("q", 1), new Document("q", 10)),
        store.find(key).orElseThrow().getList("lines", Document.class));
  }

  @Test
  @DisplayName("what tracking or the key owns is refused before the call; pipelines too")
  void overlaps() {
    for (String path : List.of("_id", "_rev", "events.Order.1", "messageIDs", "deletedUntil")) {
      assertRefused(MongoNativeUpdate.of(Updates.set(path, 1)));
    }
    assertRefused(MongoNativeUpdate.of(Updates.rename("n", "_rev")));
    assertRefused(MongoNativeUpdate.of(new Document("n", 1)));
    assertRefused(
        MongoNativeUpdate.of(Updates.inc("n", 1)).onlyIf(Filters.eq("n", 1)).createIfMissing());
  }

  private void assertRefused(MongoNativeUpdate update) {
    List<String> sent =
        fixture.commands.names(
            () ->
                assertThrows(
                    IllegalArgumentException.class, () -> store.update(id(), key, update)));
    assertEquals(List.of(), sent);
  }

  @Test
  @DisplayName("ids kept for a duration stay bounded, and every one is remembered")
  void slots() {
    create();
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1L));
    for (int i = 0; i < 50; i++) {
      MessageId message = MessageId.of("m" + i);
      assertTrue(store.update(message, key, update).isApplied());
      assertInstanceOf(Outcome.Duplicate.class, store.update(message, key, update));
    }
    assertEquals(51L, store.find(key).orElseThrow().getLong("n"));
  }

  @Test
  @DisplayName("keep the documents that they were given, whatever becomes of these")
  void ownDocuments() {
    List<Integer> list = new ArrayList<>(List.of(1));
    Document set = new Document("n", 1).append("list", list);
    BsonDocument filter = new BsonDocument("n", new BsonInt32(1));
    MongoNativeUpdate creating = MongoNativeUpdate.of(new Document("$set", set)).createIfMissing();
    MongoNativeUpdate ruled = MongoNativeUpdate.of(Updates.inc("n", 1)).onlyIf(filter);
    list.add(2);
    set.put("n", 2);
    filter.put("n", new BsonInt32(2));
    assertTrue(store.update(id(), key, creating).isApplied());
    Document stored = store.find(key).orElseThrow();
    assertEquals(1, stored.get("n"));
    assertEquals(List.of(1), stored.get("list"));
    assertTrue(store.update(id(), key, ruled).isApplied());
  }
}
