package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import dev.tidemark.mongodb.CodecSamples.All;
import dev.tidemark.mongodb.CodecSamples.Bean;
import dev.tidemark.mongodb.CodecSamples.Coded;
import dev.tidemark.mongodb.CodecSamples.Paid;
import dev.tidemark.mongodb.CodecSamples.Status;
import dev.tidemark.mongodb.CodecSamples.Visit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.UuidRepresentation;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Portable keys and values are stored by the codecs of their properties")
final class PropertyCodecTest {
  private final MongoFixture fixture = new MongoFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String text(Throwable refused) {
    return String.valueOf(refused.getMessage());
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private <T> MongoCollection<T> collection(Class<T> type, UuidRepresentation uuids) {
    return fixture
        .client
        .getDatabase("tests")
        .withCodecRegistry(
            CodecSamples.registry(MongoClientSettings.getDefaultCodecRegistry(), uuids))
        .getCollection("p" + UUID.randomUUID(), type);
  }

  private <T> MongoCollection<T> collection(Class<T> type) {
    return collection(type, UuidRepresentation.STANDARD);
  }

  private static List<BsonDocument> documents(MongoCollection<?> collection) {
    return collection
        .withDocumentClass(BsonDocument.class)
        .find()
        .into(new java.util.ArrayList<>());
  }

  private static BsonDocument own(MongoCollection<?> collection, String id) {
    BsonDocument document =
        Objects.requireNonNull(
            collection
                .withDocumentClass(BsonDocument.class)
                .find(Filters.eq("_id", new ObjectId(id)))
                .first());
    document.keySet().removeIf(name -> name.startsWith("_rev") || name.startsWith("_born"));
    document.keySet().removeIf(name -> name.startsWith("messageIDs") || name.equals("_id"));
    return document;
  }

  static Stream<Class<?>> classes() {
    return Stream.of(Paid.class, Bean.class);
  }

  @ParameterizedTest
  @MethodSource("classes")
  @DisplayName("a key that its property stores in another form finds, changes and makes one entity")
  <T> void twin(Class<T> type) {
    MongoCollection<T> collection = collection(type);
    MongoEntityStore<T> store = MongoEntityStore.of(collection);
    String hex = new ObjectId().toHexString();
    EntityKey key = EntityKey.key(hex);
    T initial = type.cast(type == Paid.class ? new Paid(hex, null, 0) : Bean.of(hex));
    assertTrue(store.apply(message(), key, () -> initial, UnaryOperator.identity()).isDone());
    assertTrue(store.find(key).isPresent());
    Change add = change().add("total", 5);
    assertInstanceOf(Outcome.Applied.class, store.update(message(), key, add));
    assertTrue(store.update(message(), key, add.createIfMissing()).isApplied());
    assertTrue(store.update(message(), EntityKey.key(new ObjectId(hex)), add).isApplied());
    assertTrue(
        store
            .writeAll(List.of(Write.update(message(), key, add.createIfMissing())))
            .get(0)
            .isDone());
    BsonDocument stored = documents(collection).get(0);
    assertEquals(1, documents(collection).size());
    assertEquals(new BsonObjectId(new ObjectId(hex)), stored.get("_id"));
    assertEquals(20, stored.getNumber("total").intValue());
    String other = new ObjectId().toHexString();
    Change create = change().add("total", 5).createIfMissing();
    assertTrue(store.update(message(), EntityKey.key(other), create).isApplied());
    assertTrue(store.apply(message(), EntityKey.key(other), UnaryOperator.identity()).isDone());
    assertEquals(2, documents(collection).size());
    assertTrue(store.delete(message(), EntityKey.key(other)).isApplied());
    assertTrue(store.find(EntityKey.key(other)).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("classes")
  @DisplayName("a key that its property cannot store is refused before anything is sent")
  <T> void badKey(Class<T> type) {
    MongoCollection<T> collection = collection(type);
    MongoEntityStore<T> store = MongoEntityStore.of(collection);
    for (Object value : List.of("secret", 5, UUID.randomUUID())) {
      EntityKey key = EntityKey.key(value);
      Change create = change().add("total", 5).createIfMissing();
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> store.update(message(), key, create));
      assertTrue(text(refused).contains("'_id'"), text(refused));
      assertFalse(text(refused).contains("secret"), text(refused));
      assertThrows(IllegalArgumentException.class, () -> store.find(key));
      assertThrows(IllegalArgumentException.class, () -> store.delete(message(), key));
    }
    assertEquals(List.of(), documents(collection));
  }

  private static Map.Entry<String, Object> entry(String name, @Nullable Object value) {
    return Map.entry(name, Objects.requireNonNull(value));
  }

  /** What {@code apply} stores of an entity, as properties. */
  private static Map<String, Object> properties(All all) {
    return Map.ofEntries(
        entry("ref", all.ref()),
        entry("status", all.status()),
        entry("plain", all.plain()),
        entry("uuid", all.uuid()),
        entry("whole", all.whole()),
        entry("count", all.count()),
        entry("rate", all.rate()),
        entry("share", all.share()),
        entry("exact", all.exact()),
        entry("at", all.at()),
        entry("day", all.day()),
        entry("visit", all.visit()),
        entry("history", all.history()),
        entry("seen", all.seen()),
        entry("byName", all.byName()),
        entry("coded", all.coded()),
        entry("letter", all.letter()),
        entry("bytes", all.bytes()));
  }

  @Test
  @DisplayName("a record's values are stored as apply stores them, on each way")
  void values() {
    MongoCollection<All> collection = collection(All.class);
    MongoEntityStore<All> store = MongoEntityStore.of(collection);
    All sample = CodecSamples.all();
    Change set = change();
    for (Map.Entry<String, Object> property : properties(sample).entrySet()) {
      set = set.set(property.getKey(), property.getValue());
    }
    BsonDocument expected = applied(collection, store, sample);
    assertEquals(properties(sample).keySet(), expected.keySet());
    Change create = set.createIfMissing();
    String created = new ObjectId().toHexString();
    store.update(message(), EntityKey.key(created), create);
    assertEquals(expected, own(collection, created));
    String changed = empty(store);
    assertTrue(store.update(message(), EntityKey.key(changed), set).isApplied());
    assertEquals(expected, own(collection, changed));
    String batched = empty(store);
    assertTrue(
        store
            .writeAll(List.of(Write.update(message(), EntityKey.key(batched), set)))
            .get(0)
            .isDone());
    assertEquals(expected, own(collection, batched));
    String joined = empty(store);
    assertTrue(
        MongoTransaction.on(fixture.client)
            .write(store, Write.update(message(), EntityKey.key(joined), set))
            .commit()
            .isDone());
    assertEquals(expected, own(collection, joined));
    assertEquals(
        store.find(EntityKey.key(created)).map(All::visit), Stream.of(sample.visit()).findFirst());
  }

  private static BsonDocument applied(
      MongoCollection<All> collection, MongoEntityStore<All> store, All sample) {
    String id = new ObjectId().toHexString();
    assertTrue(
        store
            .apply(message(), EntityKey.key(id), () -> All.empty(id), all -> sample.as(id))
            .isApplied());
    return own(collection, id);
  }

  private static String empty(MongoEntityStore<All> store) {
    String id = new ObjectId().toHexString();
    assertTrue(
        store
            .apply(message(), EntityKey.key(id), () -> All.empty(id), UnaryOperator.identity())
            .isDone());
    return id;
  }

  @Test
  @DisplayName("members, elements and numbers added have the form of their class too")
  void parts() {
    MongoCollection<All> collection = collection(All.class);
    MongoEntityStore<All> store = MongoEntityStore.of(collection);
    All sample = CodecSamples.all();
    String ref = Objects.requireNonNull(sample.ref());
    Visit visit = new Visit(ref, Status.PAID, 5);
    All base =
        All.empty("")
            .with(new Visit(null, null, 1), List.of(), Map.of("x", new Visit(null, null, 1)));
    All after =
        base.with(visit, List.of(visit), Map.of("x", visit))
            .seen(Set.of(Status.PAID))
            .count(7)
            .rate(2);
    String id = new ObjectId().toHexString();
    store.apply(message(), EntityKey.key(id), () -> base.as(id), all -> after.as(id));
    BsonDocument expected = own(collection, id);
    Change change =
        change()
            .set("visit.ref", ref)
            .set("visit.status", Status.PAID)
            .add("visit.times", 4)
            .set("byName.x.ref", ref)
            .set("byName.x.status", Status.PAID)
            .add("byName.x.times", 4)
            .append("history", visit)
            .addToSet("seen", Status.PAID)
            .add("count", 7L)
            .add("rate", 2);
    String other = new ObjectId().toHexString();
    store.apply(message(), EntityKey.key(other), () -> base.as(other), UnaryOperator.identity());
    assertTrue(store.update(message(), EntityKey.key(other), change).isApplied());
    assertEquals(expected, own(collection, other));
    String joined = new ObjectId().toHexString();
    store.apply(message(), EntityKey.key(joined), () -> base.as(joined), UnaryOperator.identity());
    assertTrue(
        MongoTransaction.on(fixture.client)
            .write(store, Write.update(message(), EntityKey.key(joined), change))
            .commit()
            .isDone());
    assertEquals(expected, own(collection, joined));
    assertTrue(
        store
            .update(message(), EntityKey.key(other), change().removeFromSet("seen", Status.PAID))
            .isApplied());
    assertFalse(own(collection, other).containsKey("seen"));
  }

  @Test
  @DisplayName("conditions compare with what the property's codec stores")
  void conditions() {
    MongoCollection<All> collection = collection(All.class);
    MongoEntityStore<All> store = MongoEntityStore.of(collection);
    All sample = CodecSamples.all();
    String ref = Objects.requireNonNull(sample.ref());
    for (Condition condition :
        List.of(
            attribute("ref").is(ref),
            attribute("ref").is(new ObjectId(ref)),
            attribute("status").is(Status.PAID),
            attribute("status").in(Status.OPEN, Status.PAID),
            attribute("uuid").is(Objects.requireNonNull(sample.uuid())),
            attribute("visit.status").is(Status.PAID),
            attribute("byName.x.ref").is(ref),
            attribute("seen").contains(Status.PAID),
            attribute("coded").is(new Coded(5)),
            attribute("rate").atLeast(1),
            attribute("count").lessThan(1e9),
            attribute("plain").is("RED"))) {
      String id = new ObjectId().toHexString();
      EntityKey key = EntityKey.key(id);
      store.apply(message(), key, () -> sample.as(id), UnaryOperator.identity());
      Change change = change().set("whole", 9).onlyIf(condition);
      assertTrue(store.update(message(), key, change).isApplied(), condition::toString);
      assertTrue(
          store.writeAll(List.of(Write.update(message(), key, change))).get(0).isDone(),
          condition::toString);
      assertTrue(
          MongoTransaction.on(fixture.client)
              .write(store, Write.update(message(), key, change))
              .commit()
              .isDone(),
          condition::toString);
    }
  }

  @Test
  @DisplayName("a value that the property's codec could not read again is refused by name")
  void unreadable() {
    MongoCollection<All> collection = collection(All.class);
    MongoEntityStore<All> store = MongoEntityStore.of(collection);
    String id = empty(store);
    BsonDocument before = own(collection, id);
    for (Change change :
        List.of(
            change().set("ref", "secret"),
            change().set("ref", 5),
            change().set("status", "PAID"),
            change().set("status", 99),
            change().set("plain", "secret"),
            change().set("uuid", new byte[16]),
            change().set("uuid", "secret"),
            change().set("day", sampleAt()),
            change().set("whole", 1L << 40),
            change().set("exact", "secret"),
            change().set("visit", "secret"),
            change().set("visit", Map.of("times", "secret")),
            change().set("visit.times", "secret"),
            change().set("visit.tmies", 5),
            change().set("coded.value", 5),
            change().set("byName", Map.of("x", "secret")),
            change().set("history", List.of("secret")),
            change().append("history", "secret"),
            change().addToSet("seen", "PAID"),
            change().set("status", new BsonString("PAID")),
            change().add("rate", 1).onlyIf(attribute("status").is("PAID")),
            change().add("rate", 1).onlyIf(attribute("ref").is("secret")))) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> store.update(message(), EntityKey.key(id), change),
              change::toString);
      assertFalse(text(refused).contains("secret"), text(refused));
      assertTrue(text(refused).contains("'"), text(refused));
      assertTrue(
          store.writeAll(List.of(Write.update(message(), EntityKey.key(id), change))).get(0)
              instanceof dev.tidemark.Result.Failed<All>);
    }
    assertEquals(before, own(collection, id));
    assertTrue(
        store
            .update(message(), EntityKey.key(id), change().set("status", new BsonInt32(2)))
            .isApplied());
    assertEquals(Status.PAID, store.find(EntityKey.key(id)).orElseThrow().status());
  }

  private static java.time.Instant sampleAt() {
    return java.time.Instant.parse("2026-01-01T12:00:00Z");
  }

  @Test
  @DisplayName("a UUID needs the client's representation, as it does for apply")
  void uuids() {
    MongoCollection<All> bare = collection(All.class, UuidRepresentation.UNSPECIFIED);
    MongoEntityStore<All> store = MongoEntityStore.of(bare);
    String id = empty(store);
    All sample = CodecSamples.all();
    Change set = change().set("uuid", Objects.requireNonNull(sample.uuid()));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> store.update(message(), EntityKey.key(id), set));
    assertTrue(text(refused).contains("uuidRepresentation"), text(refused));
    assertThrows(
        IllegalArgumentException.class,
        () -> store.apply(message(), EntityKey.key(id), all -> sample.as(id)));
    MongoCollection<CodecSamples.ByUuid> keyed =
        collection(CodecSamples.ByUuid.class, UuidRepresentation.UNSPECIFIED);
    MongoEntityStore<CodecSamples.ByUuid> byUuid = MongoEntityStore.of(keyed);
    EntityKey key = EntityKey.key(Objects.requireNonNull(sample.uuid()));
    assertThrows(IllegalArgumentException.class, () -> byUuid.find(key));
    Change create = change().add("total", 1).createIfMissing();
    assertThrows(IllegalArgumentException.class, () -> byUuid.update(message(), key, create));
    assertEquals(List.of(), documents(keyed));
    for (UuidRepresentation form :
        List.of(UuidRepresentation.STANDARD, UuidRepresentation.JAVA_LEGACY)) {
      MongoCollection<CodecSamples.ByUuid> formed = collection(CodecSamples.ByUuid.class, form);
      MongoEntityStore<CodecSamples.ByUuid> entities = MongoEntityStore.of(formed);
      assertTrue(entities.update(message(), key, create).isApplied());
      assertTrue(entities.apply(message(), key, UnaryOperator.identity()).isDone());
      assertEquals(1, entities.find(key).orElseThrow().total());
      assertEquals(1, documents(formed).size());
    }
  }

  @Test
  @DisplayName("the parts of a compound key, and what routes it, are stored by their codecs")
  void compound() {
    MongoCollection<CodecSamples.Line> collection = collection(CodecSamples.Line.class);
    MongoEntityStore<CodecSamples.Line> store =
        MongoEntityStore.builder(collection).compoundId("order", "number").build();
    String order = new ObjectId().toHexString();
    EntityKey key = EntityKey.key(order, 7).routedBy("status", Status.PAID);
    Change create = change().add("total", 1).createIfMissing();
    assertTrue(store.update(message(), key, create).isApplied());
    assertTrue(store.apply(message(), key, UnaryOperator.identity()).isDone());
    assertEquals(1, store.find(key).orElseThrow().total());
    BsonDocument stored = documents(collection).get(0);
    assertTrue(stored.getDocument("_id").isObjectId("order"));
    assertTrue(stored.getDocument("_id").isInt32("number"));
    assertEquals(new BsonInt32(2), stored.get("status"));
    assertThrows(IllegalArgumentException.class, () -> store.find(EntityKey.key("secret", 7)));
  }

  @Test
  @DisplayName("a POJO whose provider stores a property in its own way is held to that")
  void ownProvider() {
    MongoCollection<Bean> collection =
        fixture
            .client
            .getDatabase("tests")
            .withCodecRegistry(CodecSamples.beansByOwnProvider())
            .getCollection("p" + UUID.randomUUID(), Bean.class);
    MongoEntityStore<Bean> store = MongoEntityStore.of(collection);
    String hex = new ObjectId().toHexString();
    Change create = change().set("color", CodecSamples.Color.RED).createIfMissing();
    assertThrows(
        IllegalArgumentException.class, () -> store.update(message(), EntityKey.key(hex), create));
    assertEquals(List.of(), documents(collection));
  }

  @Test
  @DisplayName("a class with a codec of the user's own is asked whether it reads the key")
  void ownClassCodec() {
    MongoCollection<CodecSamples.Own> collection = collection(CodecSamples.Own.class);
    MongoEntityStore<CodecSamples.Own> store = MongoEntityStore.of(collection);
    String hex = new ObjectId().toHexString();
    Change create = change().add("total", 1).createIfMissing();
    assertThrows(
        IllegalArgumentException.class, () -> store.update(message(), EntityKey.key(hex), create));
    assertThrows(IllegalArgumentException.class, () -> store.find(EntityKey.key(hex)));
    EntityKey key = EntityKey.key(new ObjectId(hex));
    assertTrue(store.update(message(), key, create).isApplied());
    assertEquals(1, store.find(key).orElseThrow().total());
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(message(), key, change().set("total", "secret")));
  }

  @Test
  @DisplayName("a sum is one of what a codec of the user's own stores, or refused")
  void scaled() {
    MongoCollection<CodecSamples.Scaled> collection =
        fixture
            .client
            .getDatabase("tests")
            .withCodecRegistry(CodecSamples.scaled())
            .getCollection("p" + UUID.randomUUID(), CodecSamples.Scaled.class);
    MongoEntityStore<CodecSamples.Scaled> store = MongoEntityStore.of(collection);
    EntityKey key = MongoFixture.key();
    Change create = change().set("tenths", 2).set("shifted", 3).createIfMissing();
    assertTrue(store.update(message(), key, create).isApplied());
    assertTrue(store.update(message(), key, change().add("tenths", 5)).isApplied());
    assertThrows(
        IllegalArgumentException.class,
        () -> store.update(message(), key, change().add("shifted", 5)));
    CodecSamples.Scaled read = store.find(key).orElseThrow();
    assertEquals(new CodecSamples.Scaled(read.id(), (short) 7, (byte) 3), read);
  }
}
