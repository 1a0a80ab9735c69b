package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerApi;
import com.mongodb.ServerApiVersion;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.EntityKey;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A client with a strict Stable API can do all that a store does")
final class StrictApiTest {
  private final MongoClient client =
      MongoClients.create(
          MongoClientSettings.builder()
              .applyConnectionString(new ConnectionString(MongoServers.uri()))
              .serverApi(ServerApi.builder().version(ServerApiVersion.V1).strict(true).build())
              .build());
  private final MongoCollection<Document> collection =
      client.getDatabase("tests").getCollection("s" + UUID.randomUUID());
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    client.close();
  }

  private MongoEntityStore<Document> store(Tracking tracking) {
    return MongoEntityStore.builder(collection)
        .assumePlainCollection()
        .tracking(tracking)
        .listener(call -> {})
        .build();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private static SourceEvent event(long position) {
    return SourceEvent.of("Order", "1", position);
  }

  private static Document paid(Document document) {
    return new Document(document).append("status", "PAID");
  }

  @Test
  @DisplayName("changes, functions, operators, deletes, reads and batches, by ids and by events")
  void all() {
    MongoEntityStore<Document> store =
        store(Tracking.defaults().messageIds(IdPolicy.keptFor(Duration.ofDays(1))));
    assertTrue(store.update(event(1), key, change().add("n", 1).createIfMissing()).isApplied());
    assertTrue(
        store
            .update(
                id(),
                key,
                change()
                    .set("a", 1)
                    .append("list", "x")
                    .addToSet("set", "y")
                    .remove("gone")
                    .onlyIf(attribute("n").atLeast(1).and(attribute("b").isMissing()))
                    .returning())
            .isApplied());
    assertTrue(store.update(id(), key, change().removeFromSet("set", "y")).isApplied());
    assertInstanceOf(
        Outcome.Refused.class,
        store.update(event(2), key, change().onlyIf(attribute("n").is(9)).otherwiseSkip()));
    assertInstanceOf(Outcome.Duplicate.class, store.update(event(2), key, change().remove("a")));
    assertTrue(store.apply(event(3), key, StrictApiTest::paid).isApplied());
    assertInstanceOf(
        Outcome.Recorded.class, store.apply(id(), key, Document::new, StrictApiTest::paid));
    assertTrue(
        store.update(id(), key, MongoNativeUpdate.of(Updates.inc("n", 1)).returning()).isApplied());
    assertInstanceOf(Outcome.Stale.class, store.update(event(1), key, Updates.inc("n", 1)));
    assertTrue(store.find(key).isPresent());
    assertTrue(store.find(key, NotBefore.notBefore(event(3))).toString().contains("Fresh"));
    assertTrue(store.skip(event(4), key) instanceof Outcome.Recorded);
    for (Result<Document> result :
        store.writeAll(
            List.of(
                Write.update(event(5), key, change().add("n", 1)),
                Write.update(event(6), key, change().add("n", 1)),
                Write.apply(id(), key, document -> document.append("again", true)),
                Write.update(id(), MongoFixture.key(), change().set("a", 1).createIfMissing())))) {
      assertTrue(
          result instanceof Result.Judged<Document> judged && judged.outcome().isApplied(),
          result::toString);
    }
    assertTrue(store.delete(event(7), key).isApplied());
    assertTrue(store.find(key).isEmpty());
    assertTrue(store.update(event(8), key, change().set("a", 1).recreate()).isApplied());
    assertTrue(store.forget(event(9), key).isApplied());
  }

  @Test
  @DisplayName("ids that fill their slots, and a window that is compacted")
  void rewritten() {
    MongoEntityStore<Document> store =
        store(
            Tracking.defaults()
                .messageIds(IdPolicy.last(4))
                .events(dev.tidemark.EventPolicy.denseWindow(8)));
    assertTrue(store.update(id(), key, change().set("a", 1).createIfMissing()).isApplied());
    for (int i = 1; i < 30; i++) {
      assertTrue(store.update(id(), key, change().add("n", 1)).isApplied());
      assertTrue(
          store.update(event(i % 2 == 0 ? i - 1 : i + 1), key, change().add("n", 1)).isApplied());
    }
    assertEquals(58L, store.find(key).orElseThrow().getLong("n"));
  }

  @Test
  @DisplayName("the kind of the collection cannot be asked: the store says what to say instead")
  void kind() {
    collection.insertOne(new Document("_id", "there"));
    IllegalArgumentException fault =
        assertThrows(IllegalArgumentException.class, () -> MongoEntityStore.of(collection));
    assertTrue(
        String.valueOf(fault.getMessage()).contains("assumePlainCollection()"), fault::getMessage);
    assertFalse(store(Tracking.defaults()).find(key).isPresent());
  }
}
