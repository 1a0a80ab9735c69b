package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.kernel.UnfitChangeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("Times are kept by the millisecond, so that no finer one")
final class TimesTest {
  private static final Instant FINE = Instant.parse("2026-01-01T00:00:00.123456Z");
  private static final Instant ROUND = FINE.truncatedTo(ChronoUnit.MILLIS);
  private static final Change ADD = change().add("total", 1L).createIfMissing();

  /** A key of parts. */
  public record Id(Instant at, @Nullable ObjectId device) {}

  /** Keyed by a time. */
  public record Reading(@BsonId Instant id, @Nullable Long total, @Nullable LocalTime time) {}

  /** Keyed by another time. */
  public record Local(@BsonId LocalDateTime id, @Nullable Long total) {}

  /** Keyed by a record. */
  public record ById(@BsonId Id id, @Nullable Long total) {}

  /** A key of parts that are not compared by equals. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Mixed(byte[] hash, Document others, Opaque opaque) {}

  /** A class that does not say when two are equal. */
  public static final class Opaque {
    private @Nullable Instant at;

    public @Nullable Instant getAt() {
      return at;
    }

    public void setAt(Instant at) {
      this.at = at;
    }
  }

  /** Keyed by what the class does not tell. */
  public record ByMixed(@BsonId Mixed id, @Nullable Long total) {}

  private static final CodecRegistry POJOS =
      CodecRegistries.fromRegistries(
          MongoClientSettings.getDefaultCodecRegistry(),
          CodecRegistries.fromProviders(PojoCodecProvider.builder().automatic(true).build()));

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static void assertRefused(String name, Executable call) {
    String text = assertThrows(UnfitChangeException.class, call).getMessage();
    assertTrue(text != null && text.contains(name) && text.contains("truncatedTo"), text);
  }

  @Test
  @DisplayName("is a key, by which two entities would be one")
  void keys() {
    LocalDateTime fine = LocalDateTime.ofInstant(FINE, ZoneOffset.UTC);
    ObjectId device = new ObjectId();
    Map<Class<?>, List<EntityKey>> keys =
        Map.of(
            Document.class, List.of(key(FINE), key(ROUND)),
            Reading.class, List.of(key(FINE), key(ROUND)),
            Local.class, List.of(key(fine), key(fine.truncatedTo(ChronoUnit.MILLIS))),
            ById.class, List.of(key(new Id(FINE, device)), key(new Id(ROUND, device))));
    keys.forEach(
        (type, both) -> {
          MongoCollection<?> collection = fixture.documents().withDocumentClass(type);
          assertKeys(MongoEntityStore.of(collection), both.get(0), both.get(1));
          assertEquals(1, collection.countDocuments());
        });
    assertKeys(
        MongoEntityStore.builder(documents).compoundId("device", "at").build(),
        key("d", FINE),
        key("d", ROUND));
    EntityKey routed = key("r").routedBy("day", FINE);
    assertRefused("'day'", () -> MongoEntityStore.of(documents).update(message(), routed, ADD));
  }

  @Test
  @DisplayName("is found in the parts of a key, in which other values may differ when read back")
  void parts() {
    Document others =
        new Document("at", ROUND).append("small", (short) 1).append("list", List.of());
    for (Class<?> type : List.of(ByMixed.class, Document.class)) {
      MongoCollection<?> collection =
          fixture.documents().withDocumentClass(type).withCodecRegistry(POJOS);
      Document fine = new Document(others).append("list", List.of(Map.of("at", FINE)));
      MongoEntityStore<?> store = MongoEntityStore.of(collection);
      EntityKey round = key(mixed(others, ROUND));
      assertKeys(store, key(mixed(others, FINE)), round);
      assertKeys(store, key(mixed(fine, ROUND)), key(mixed(new Document(), ROUND)));
      Condition same = attribute("_id").is(round.parts().get(0));
      assertTrue(store.update(message(), round, ADD.onlyIf(same)).isApplied());
    }
  }

  private static Mixed mixed(Document others, Instant at) {
    Opaque opaque = new Opaque();
    opaque.setAt(at);
    return new Mixed(new byte[] {1}, others, opaque);
  }

  private static void assertKeys(MongoEntityStore<?> store, EntityKey fine, EntityKey round) {
    assertRefused("key", () -> store.update(message(), fine, ADD));
    assertRefused("key", () -> store.find(fine));
    assertTrue(store.update(message(), round, ADD).isApplied());
    assertTrue(store.find(round).isPresent());
  }

  @Test
  @DisplayName("is taken for equal, which would be true of others")
  void conditions() {
    for (Class<?> type : List.of(Document.class, Reading.class)) {
      MongoEntityStore<?> store = MongoEntityStore.of(fixture.documents().withDocumentClass(type));
      EntityKey key = key(ROUND);
      assertTrue(store.update(message(), key, ADD.set("time", LocalTime.NOON)).isApplied());
      LocalTime fine = LocalTime.NOON.plusNanos(1000);
      for (Condition rule :
          List.of(attribute("time").is(fine), attribute("time").in(LocalTime.NOON, fine))) {
        assertRefused("'time'", () -> store.update(message(), key, ADD.onlyIf(rule)));
        assertRefused("'time'", () -> store.update(message(), key, ADD.onlyIf(rule.not())));
      }
      assertTrue(
          store
              .update(message(), key, ADD.onlyIf(attribute("time").is(LocalTime.NOON)))
              .isApplied());
    }
    MongoEntityStore<Document> store = MongoEntityStore.of(documents);
    Change found = ADD.onlyIf(attribute("times").contains(FINE));
    assertRefused("'times'", () -> store.update(message(), key("k"), found));
  }

  @Test
  @DisplayName("is stored; a change stores what a function would")
  void values() {
    MongoEntityStore<Document> store = MongoEntityStore.of(documents);
    assertTrue(store.update(message(), key("u"), ADD.set("at", FINE)).isApplied());
    store.apply(message(), key("a"), Document::new, document -> document.append("at", FINE));
    for (String id : List.of("u", "a")) {
      assertEquals(ROUND, store.find(key(id)).orElseThrow().getDate("at").toInstant());
    }
  }
}
