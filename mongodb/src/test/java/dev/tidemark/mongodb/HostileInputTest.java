package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import java.util.UUID;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.bson.BsonRegularExpression;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What callers hand in is a value, and what their functions throw is theirs")
final class HostileInputTest {
  private static final Change COUNT = Change.change().add("n", 1).createIfMissing();

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(collection);
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("keys and routing fields are no operators and no patterns")
  void operators() {
    Object any = org.bson.BsonDocument.parse("{\"$gt\": \"\"}");
    Object pattern = new BsonRegularExpression(".*");
    assertTrue(store.update(id(), key.routedBy("region", "eu"), COUNT).isApplied());
    assertThrows(IllegalArgumentException.class, () -> EntityKey.key(any));
    assertThrows(IllegalArgumentException.class, () -> key.routedBy("region", any));
    for (EntityKey wrong :
        new EntityKey[] {EntityKey.key(pattern), key.routedBy("region", pattern)}) {
      assertThrows(IllegalArgumentException.class, () -> store.find(wrong));
      assertThrows(IllegalArgumentException.class, () -> store.delete(id(), wrong));
    }
    assertEquals(1, collection.countDocuments(store.live()));
  }

  @Test
  @DisplayName("an entity with other routing values is a fault at once, not contention")
  void routing() {
    assertTrue(store.update(id(), key.routedBy("region", "eu"), COUNT).isApplied());
    EntityKey elsewhere = key.routedBy("region", "us");
    assertThrows(InvalidChangeException.class, () -> store.update(id(), elsewhere, COUNT));
    assertThrows(
        InvalidChangeException.class,
        () -> store.apply(id(), elsewhere, Document::new, d -> d.append("n", 1L)));
  }

  @Test
  @DisplayName("an exception of the driver in a function is not taken for one of the store")
  void ownExceptions() {
    assertTrue(store.update(id(), key, COUNT).isApplied());
    MongoSocketReadException own = new MongoSocketReadException("own", new ServerAddress());
    int[] calls = {0};
    MongoSocketReadException thrown =
        assertThrows(
            MongoSocketReadException.class,
            () ->
                store.apply(
                    id(),
                    key,
                    document -> {
                      calls[0]++;
                      throw own;
                    }));
    assertSame(own, thrown);
    assertEquals(1, calls[0]);
  }

  @Test
  @DisplayName("paths that agree in their first 64 characters are checked each for itself")
  void longPaths() {
    String parent = "m." + "x".repeat(70);
    Document members = new Document("a", "text").append("b", 1L);
    Document document = new Document("x".repeat(70), members);
    assertTrue(store.update(id(), key, COUNT.set("m", document)).isApplied());
    Change both = Change.change().add(parent + ".a", 1).add(parent + ".b", 1);
    assertThrows(InvalidChangeException.class, () -> store.update(id(), key, both));
  }

  @Test
  @DisplayName("binaries of other subtypes equal themselves")
  void binaries() {
    BsonBinary legacy = new BsonBinary(BsonBinarySubType.UUID_LEGACY, new byte[16]);
    assertTrue(store.update(id(), key, COUNT.set("owner", legacy)).isApplied());
    Condition owned = Condition.attribute("owner").is(legacy);
    assertTrue(store.update(id(), key, COUNT.onlyIf(owned)).isApplied());
    assertInstanceOf(Outcome.Refused.class, store.update(id(), key, COUNT.onlyIf(owned.not())));
  }

  @Test
  @DisplayName("a native update without an operator is refused")
  void noOperator() {
    assertThrows(IllegalArgumentException.class, () -> store.update(id(), key, Updates.combine()));
  }
}
