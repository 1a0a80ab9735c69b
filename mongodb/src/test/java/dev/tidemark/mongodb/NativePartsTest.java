package dev.tidemark.mongodb;

import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.rename;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.setOnInsert;
import static com.mongodb.client.model.Updates.unset;
import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.MovableClock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Operators of MongoDB's own leave no part of an entity that its class cannot read")
final class NativePartsTest {
  /** Cannot be read without its floor. */
  public record Place(@Nullable String city, int floor) {}

  /** May have no place at all. */
  public record Home(
      @BsonId String id,
      @Nullable Place place,
      @Nullable Map<String, Place> others,
      @Nullable Long total) {}

  private static final Bson CITY = set("place.city", "Rome");

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Home> homes =
      fixture.client.getDatabase("tests").getCollection("h" + UUID.randomUUID(), Home.class);
  private final MongoEntityStore<Home> store = MongoEntityStore.of(homes);
  private final EntityKey key = MongoFixture.key();

  @BeforeEach
  void create() {
    assertTrue(store.update(id(), key, change().set("total", 0L).createIfMissing()).isApplied());
  }

  @AfterEach
  void close() {
    homes.drop();
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private Outcome<Home> update(Bson operators) {
    return store.update(id(), key, operators);
  }

  private Home stored() {
    return store.find(key).orElseThrow();
  }

  @Test
  @DisplayName("where the part is missing, unless they make the whole of it")
  void missing() {
    for (Bson some : List.of(CITY, set("others.a.city", "Rome"), rename("total", "place.floor"))) {
      InvalidChangeException fault = assertThrows(InvalidChangeException.class, () -> update(some));
      assertEquals(key, fault.key().orElseThrow());
    }
    assertEquals(0, stored().total());
    assertTrue(update(combine(CITY, inc("place.floor", 3))).isApplied());
    assertTrue(update(set("place.city", "Oslo")).isApplied());
    assertEquals(new Place("Oslo", 3), stored().place());
    assertTrue(update(set("place", null)).isApplied());
    assertThrows(InvalidChangeException.class, () -> update(set("place.city", "Rome")));
  }

  @Test
  @DisplayName("by the update itself, whatever was read before it")
  void inUpdate() {
    assertThrows(InvalidChangeException.class, () -> update(CITY));
  }

  @Test
  @DisplayName("in a batch and in a transaction, whose other writes go on or do not")
  void together() {
    List<Result<Home>> results =
        store.writeAll(
            List.of(
                Write.update(id(), key, MongoNativeUpdate.of(inc("total", 1L))),
                Write.update(id(), key, MongoNativeUpdate.of(CITY)),
                Write.update(id(), key, MongoNativeUpdate.of(inc("total", 1L)))));
    assertEquals(
        List.of(true, false, true), results.stream().map(Result.Judged.class::isInstance).toList());
    assertEquals(2, stored().total());
    MongoTransaction transaction =
        MongoTransaction.on(fixture.client)
            .write(store, Write.update(id(), key, MongoNativeUpdate.of(CITY)));
    assertThrows(InvalidChangeException.class, transaction::commit);
  }

  @Test
  @DisplayName("by an update that may create the entity, or that takes away what is needed")
  void refused() {
    MongoNativeUpdate creating = MongoNativeUpdate.of(CITY).createIfMissing();
    assertThrows(IllegalArgumentException.class, () -> store.update(id(), key, creating));
    assertThrows(IllegalArgumentException.class, () -> update(unset("place.floor")));
    assertThrows(IllegalArgumentException.class, () -> update(rename("place.floor", "level")));
    MongoNativeUpdate whole =
        MongoNativeUpdate.of(combine(CITY, inc("place.floor", 0))).createIfMissing();
    assertTrue(store.update(id(), key, whole).isApplied());
    assertEquals(new Place("Rome", 0), stored().place());
  }

  private MongoNativeUpdate rome() {
    return MongoNativeUpdate.of(combine(CITY, setOnInsert("place.floor", 2)));
  }

  @Test
  @DisplayName("by what is set where the entity is created, which another update does not set")
  void onInsert() {
    for (MongoNativeUpdate some : List.of(rome(), rome().createIfMissing(), rome().recreate())) {
      assertThrows(InvalidChangeException.class, () -> store.update(id(), key, some));
      assertNull(stored().place());
      Result<Home> result = store.writeAll(List.of(Write.update(id(), key, some))).get(0);
      assertInstanceOf(Result.Failed.class, result);
      assertNull(stored().place());
    }
    assertTrue(update(combine(CITY, inc("place.floor", 3))).isApplied());
    assertTrue(store.update(id(), key, rome().createIfMissing()).isApplied());
    assertEquals(new Place("Rome", 3), stored().place());
    assertTrue(update(unset("place")).isApplied());
    Bson total = combine(inc("total", 1L), setOnInsert("place.city", "Rome"));
    assertTrue(update(total).isApplied(), "which makes no place");
  }

  @Test
  @DisplayName("where it is created, be it in place of a tombstone, fresh or past its expiry")
  void onInsertOfTombstone() {
    MovableClock clock = MovableClock.later();
    MongoEntityStore<Home> later = MongoEntityStore.builder(homes).clock(clock).build();
    assertTrue(store.delete(id(), key).isApplied());
    assertTrue(store.update(id(), key, rome().recreate()).isApplied());
    assertEquals(new Place("Rome", 2), stored().place());
    assertTrue(later.delete(id(), key).isApplied());
    clock.move(Tracking.defaults().tombstonesKeptFor().plusSeconds(5));
    assertTrue(later.update(id(), key, rome().createIfMissing()).isApplied());
    assertEquals(new Place("Rome", 2), stored().place());
    EntityKey other = MongoFixture.key();
    assertTrue(store.update(id(), other, rome().createIfMissing()).isApplied());
    assertEquals(new Place("Rome", 2), store.find(other).orElseThrow().place());
  }
}
