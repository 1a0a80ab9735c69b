package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import java.util.Objects;
import java.util.UUID;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Records, documents, keys and concerns")
final class MappingTest {
  private final MongoFixture fixture = new MongoFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("a record that carries its marks survives the user's own replaceOne")
  void marks() {
    MongoCollection<Order> orders = fixture.orders();
    MongoEntityStore<Order> store = MongoEntityStore.of(orders);
    EntityKey key = MongoFixture.key();
    SourceEvent first = SourceEvent.of("Order", "1", 1);
    assertTrue(store.apply(first, key, Order::placed, o -> o.paid(25)).isApplied());
    Order read = store.find(key).orElseThrow();
    assertEquals(25L, read.total());
    Bson unchanged =
        Filters.and(
            Filters.eq("_id", read.id()),
            MongoMarks.unchanged(Objects.requireNonNull(read.marks())));
    assertEquals(1, orders.replaceOne(unchanged, read.paid(5)).getModifiedCount());
    assertEquals(0, orders.replaceOne(unchanged, read.paid(7)).getMatchedCount(), "lost update");
    assertInstanceOf(Outcome.Duplicate.class, store.apply(first, key, o -> o.paid(1)));
    Outcome<Order> next = store.apply(SourceEvent.of("Order", "1", 2), key, o -> o.paid(70));
    assertEquals(100L, next.entity().orElseThrow().total());
    assertNotNull(store.find(key).orElseThrow().marks());
  }

  @Test
  @DisplayName("values of another type than the mapped property's are refused before the call")
  void types() {
    MongoEntityStore<Order> store = MongoEntityStore.of(fixture.orders());
    EntityKey key = MongoFixture.key();
    for (Change change :
        new Change[] {
          Change.change().set("state", 5),
          Change.change().add("total", 1.5),
          Change.change().set("total", "five"),
          Change.change().addToSet("lines", "x"),
          Change.change().set("total.x", 1),
          Change.change().set("id", "other"),
          Change.change().set("_id", "other")
        }) {
      assertThrows(
          IllegalArgumentException.class, () -> store.update(id(), key, change), change::toString);
    }
  }

  @Test
  @DisplayName("a mapped property with a tracking name is refused at construction")
  void trackingNames() {
    AttributeNames names =
        new AttributeNames("total", "events", "_rev", "_born", "deletedUntil", "_outbox");
    assertThrows(
        IllegalArgumentException.class,
        () ->
            MongoEntityStore.builder(fixture.orders())
                .tracking(Tracking.defaults().names(names))
                .build());
  }

  @Test
  @DisplayName("less than majority is refused unless told otherwise")
  void concerns() {
    MongoCollection<Document> weak = fixture.documents().withWriteConcern(WriteConcern.W1);
    assertThrows(IllegalArgumentException.class, () -> MongoEntityStore.of(weak));
    MongoCollection<Document> local = fixture.documents().withReadConcern(ReadConcern.LOCAL);
    assertThrows(IllegalArgumentException.class, () -> MongoEntityStore.of(local));
    MongoEntityStore<Document> store = MongoEntityStore.builder(weak).allowWeakerConcern().build();
    Change change = Change.change().set("n", 1).createIfMissing();
    assertTrue(store.update(id(), MongoFixture.key(), change).isApplied());
  }

  @Test
  @DisplayName("keys may be numbers, bytes, UUIDs, ObjectIds, of two values, and routed")
  void keys() {
    MongoCollection<Document> collection = fixture.documents();
    MongoEntityStore<Document> store = MongoEntityStore.of(collection);
    Change change = Change.change().add("n", 1).createIfMissing();
    for (Object value :
        new Object[] {7, new byte[] {1, 2}, UUID.randomUUID(), new ObjectId(), "a.$b"}) {
      EntityKey key = EntityKey.key(value);
      assertTrue(store.update(SourceEvent.of("O", "1", 1), key, change).isApplied());
      assertInstanceOf(
          Outcome.Duplicate.class, store.update(SourceEvent.of("O", "1", 1), key, change));
      assertEquals(1L, store.find(key).orElseThrow().getLong("n"));
    }
    EntityKey routed = EntityKey.key("routed").routedBy("region", "eu");
    Outcome<Document> made = store.update(id(), routed, change.returning());
    assertTrue(made instanceof Outcome.Applied<Document> applied && applied.created());
    assertEquals("eu", made.entity().orElseThrow().getString("region"));
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(id(), routed, Change.change().set("region", "us")));
    MongoEntityStore<Document> tenants =
        MongoEntityStore.builder(collection).compoundId("tenant", "order").build();
    assertTrue(tenants.update(id(), EntityKey.key("t", 1), change).isApplied());
    assertEquals(1L, tenants.find(EntityKey.key("t", 1)).orElseThrow().getLong("n"));
    assertThrows(IllegalArgumentException.class, () -> tenants.find(EntityKey.key("t")));
  }

  @Test
  @DisplayName("names of fields with a dot, a leading dollar or a NUL are refused by name")
  void hostileNames() {
    MongoEntityStore<Document> store = MongoEntityStore.of(fixture.documents());
    for (String name : new String[] {"a.b", "$a", "a\0b"}) {
      Change change = Change.change().set(dev.tidemark.Path.of(name), 1);
      assertThrows(
          IllegalArgumentException.class,
          () -> store.update(id(), MongoFixture.key(), change.createIfMissing()));
    }
  }

  @Test
  @DisplayName("live() leaves deleted entities out of a user's own queries")
  void live() {
    MongoCollection<Document> collection = fixture.documents();
    MongoEntityStore<Document> store = MongoEntityStore.of(collection);
    Change change = Change.change().set("n", 1).createIfMissing();
    assertTrue(store.update(id(), EntityKey.key("a"), change).isApplied());
    assertTrue(store.update(id(), EntityKey.key("b"), change).isApplied());
    assertTrue(store.delete(id(), EntityKey.key("b")).isApplied());
    assertEquals(2, collection.countDocuments());
    assertEquals(1, collection.countDocuments(store.live()));
  }
}
