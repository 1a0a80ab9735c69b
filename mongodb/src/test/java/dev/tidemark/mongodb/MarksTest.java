package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Updates;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.marks.Marks;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A user's own write of a whole document erases no marks")
final class MarksTest {
  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Order> orders = fixture.orders();
  private final MongoEntityStore<Order> store = MongoEntityStore.of(orders);
  private final EntityKey key = MongoFixture.key();
  private final String id = (String) key.parts().get(0);
  private final MessageId first = MessageId.of(UUID.randomUUID());
  private final SourceEvent one = SourceEvent.of("Order", "1", 1);
  private final SourceEvent two = SourceEvent.of("Order", "2", 1);

  @AfterEach
  void close() {
    fixture.close();
  }

  private void place() {
    assertTrue(store.apply(first, key, Order::placed, o -> o.paid(25)).isApplied());
    assertTrue(store.skip(one, key) instanceof Outcome.Recorded);
    assertTrue(store.skip(two, key) instanceof Outcome.Recorded);
  }

  private Order read(Bson projection) {
    return Objects.requireNonNull(
        orders.find(Filters.eq("_id", id)).projection(projection).first());
  }

  private boolean replace(Order read) {
    Order changed = new Order(id, "PAID", 5L, null, read.marks());
    Bson filter = Filters.and(Filters.eq("_id", id), MongoMarks.unchanged(read.marks()));
    return orders.replaceOne(filter, changed).getModifiedCount() == 1;
  }

  private void assertRemembered() {
    for (dev.tidemark.Message message : List.of(first, one, two)) {
      assertInstanceOf(Outcome.Duplicate.class, store.skip(message, key), message::toString);
    }
  }

  @Test
  @DisplayName("nor does a change of their property, which is tracking's; no condition asks for it")
  void changed() {
    place();
    for (EntityUpdate change :
        List.of(
            change().set("marks", Marks.none()),
            change().remove("marks"),
            change().set("total", 1L).onlyIf(attribute("marks").isMissing()),
            MongoNativeUpdate.of(Updates.unset("marks")))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> store.update(MessageId.of(UUID.randomUUID()), key, change));
    }
    assertRemembered();
  }

  @Test
  @DisplayName("marks that a projection left out keep the document from being replaced")
  void projections() {
    place();
    for (Bson projection :
        List.of(
            Projections.include("total"),
            Projections.include("total", "_rev"),
            Projections.include("total", "_rev", "_born"),
            Projections.include("total", "_rev", "_born", "events"),
            Projections.include("total", "_rev", "_born", "messageIDs", "messageIDs#since"),
            Projections.exclude("messageIDs"),
            Projections.exclude("events"),
            Projections.exclude("events.Order.1"),
            Projections.slice("messageIDs", 0))) {
      assertFalse(replace(read(projection)), () -> projection.toBsonDocument().toJson());
    }
    assertRemembered();
    assertTrue(replace(read(new BsonDocument())));
    assertRemembered();
    assertEquals(5L, store.find(key).orElseThrow().total());
  }

  @Test
  @DisplayName("marks of a read without the id are partial, and are refused before the write")
  void withoutId() {
    place();
    Order read = read(Projections.excludeId());
    assertFalse(Objects.requireNonNull(read.marks()).isWhole());
    assertThrows(IllegalArgumentException.class, () -> MongoMarks.unchanged(read.marks()));
    Order changed = new Order(id, "PAID", 5L, null, read.marks());
    Bson any = Filters.eq("_id", id);
    assertThrows(IllegalArgumentException.class, () -> orders.replaceOne(any, changed));
    assertRemembered();
  }

  @Test
  @DisplayName("null marks are refused before the write: a new entity has Marks.none()")
  void noMarks() {
    place();
    Order changed = new Order(id, "PAID", 5L, null, null);
    Bson any = Filters.eq("_id", id);
    assertThrows(IllegalArgumentException.class, () -> orders.replaceOne(any, changed));
    assertThrows(IllegalArgumentException.class, () -> MongoMarks.unchanged(null));
    String other = "n" + UUID.randomUUID();
    assertThrows(
        IllegalArgumentException.class,
        () -> orders.insertOne(new Order(other, "PLACED", 1L, null, null)));
    assertRemembered();
    orders.insertOne(new Order(other, "PLACED", 1L, null, Marks.none()));
    assertTrue(store.update(first, EntityKey.key(other), change().add("total", 1)).isApplied());
    assertEquals(2L, store.find(EntityKey.key(other)).orElseThrow().total());
  }

  @Test
  @DisplayName("a store's own functions need no marks in the entities that they return")
  void functions() {
    assertTrue(
        store
            .apply(first, key, Order::placed, o -> new Order(o.id(), "PAID", 1L, null, null))
            .isApplied());
    assertInstanceOf(Outcome.Duplicate.class, store.skip(first, key));
  }

  @Test
  @DisplayName("a tombstone that was read is not replaced, so that no write is lost with it")
  void tombstone() {
    place();
    assertTrue(store.delete(MessageId.of(UUID.randomUUID()), key).isApplied());
    assertFalse(replace(read(new BsonDocument())));
    assertTrue(store.find(key).isEmpty());
  }

  @Test
  @DisplayName("a document whose sources have been retired can be replaced")
  void retired() {
    place();
    assertTrue(
        store
            .update(
                MessageId.of(UUID.randomUUID()),
                key,
                change().retire(one.source()).retire(two.source()))
            .isApplied());
    assertTrue(replace(read(new BsonDocument())));
    assertInstanceOf(Outcome.Duplicate.class, store.skip(first, key));
  }
}
