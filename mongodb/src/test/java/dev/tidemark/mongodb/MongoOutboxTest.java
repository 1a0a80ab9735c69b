package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Updates;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The outgoing messages of a MongoDB collection")
final class MongoOutboxTest {
  private static final long FAR = Long.MAX_VALUE;

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final Tracking oneShard = Tracking.defaults().outbox(1_000, 1);
  private final MongoEntityStore<Document> store =
      MongoEntityStore.builder(collection).tracking(oneShard).build();
  private final MongoOutbox outbox = outbox(collection);

  private MongoOutbox outbox(MongoCollection<?> of) {
    MongoOutbox outbox = MongoOutbox.builder(of).tracking(oneShard).build();
    outbox.createIndex();
    return outbox;
  }

  @AfterEach
  void close() {
    collection.drop();
    fixture.close();
  }

  private void publish(EntityKey key, String... ids) {
    var change = change().add("n", 1).createIfMissing();
    for (String id : ids) {
      change = change.publish(OutgoingMessage.to("t", "p").id(id));
    }
    assertTrue(store.update(MessageId.of(UUID.randomUUID()), key, change).isApplied());
  }

  private static OutboxChange taking(OutboxRecord before, String... ids) {
    return new OutboxChange(before, Set.of(ids), Set.of(), Set.of(), 0, 0);
  }

  private static OutboxChange takingAll(OutboxRecord before) {
    Set<String> ids = before.waiting().stream().map(OutboxMessage::id).collect(Collectors.toSet());
    return new OutboxChange(before, ids, Set.of(), Set.of(), 0, 0);
  }

  private static OutboxRecord found(Answer refused) {
    return Objects.requireNonNull(assertInstanceOf(Answer.Refused.class, refused).found());
  }

  private void putOwn(MongoCollection<?> of, String id) {
    Document message = new Document("id", id).append("topic", "t").append("payload", "p");
    of.withDocumentClass(Document.class)
        .insertOne(
            new Document("_id", id)
                .append("_outbox", List.of(message.append("at", 1L)))
                .append("_outbox#shard", 0L)
                .append("_outbox#due", 1L)
                .append("_outbox#own", true));
  }

  private long kept() {
    return collection.countDocuments(new Document("_outbox#shard", new Document("$exists", true)));
  }

  @Test
  @DisplayName("stay put off when operators publish more, and are due at once where none waited")
  void putOff() {
    EntityKey key = EntityKey.key("k");
    publish(key, "a");
    OutboxRecord before = outbox.due(0, FAR, 1).get(0);
    long later = before.due() + 60_000;
    outbox.write(List.of(new OutboxChange(before, Set.of(), Set.of(), Set.of(), 1, later)));
    publishByOperators(key, "b");
    OutboxRecord after = outbox.due(0, FAR, 1).get(0);
    assertEquals(2, after.waiting().size());
    assertEquals(later, after.due());
    outbox.write(List.of(takingAll(after)));
    publishByOperators(key, "c");
    assertTrue(outbox.due(0, FAR, 1).get(0).due() < later);
  }

  private void publishByOperators(EntityKey key, String id) {
    MongoNativeUpdate update =
        MongoNativeUpdate.of(Updates.inc("n", 1)).publish(OutgoingMessage.to("t", "p").id(id));
    assertTrue(store.update(MessageId.of(UUID.randomUUID()), key, update).isApplied());
  }

  @Test
  @DisplayName("cost one find, and one update for all that is cleared")
  void cost() {
    IntStream.range(0, 50).forEach(i -> publish(EntityKey.key("k" + i), "a" + i, "b" + i));
    List<OutboxRecord> found = new ArrayList<>();
    assertEquals(
        List.of("find"), fixture.commands.names(() -> found.addAll(outbox.due(0, FAR, 1_000))));
    assertEquals(50, found.size());
    List<OutboxChange> changes = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      OutboxRecord one = found.get(i);
      changes.add(i % 2 == 0 ? takingAll(one) : taking(one, one.waiting().get(0).id()));
    }
    assertEquals(
        List.of("update"),
        fixture.commands.names(() -> assertEquals(50, outbox.write(changes).size())));
    assertEquals(25, kept());
    List<Object> keys = found.stream().map(OutboxRecord::key).toList();
    assertEquals(
        List.of("find"),
        fixture.commands.names(
            () -> assertEquals(50, outbox.readAll(keys, Long.MAX_VALUE).size())));
    assertEquals(
        List.of(),
        fixture.commands.names(
            () -> assertEquals(List.of(), outbox.readAll(List.of(), Long.MAX_VALUE))));
    assertEquals(
        List.of("find"),
        fixture.commands.names(() -> assertEquals(List.of(), outbox.due(0, -1, 100))));
  }

  @Test
  @DisplayName("tell which of many changes were refused, by one find more")
  void refused() {
    IntStream.range(0, 9).forEach(i -> publish(EntityKey.key("k" + i), "a" + i));
    List<OutboxRecord> found = outbox.due(0, FAR, 100);
    publish(EntityKey.key("k3"), "b3");
    assertTrue(store.forget(MessageId.of(UUID.randomUUID()), EntityKey.key("absent")).isDone());
    collection.deleteOne(new Document("_id", "k5"));
    outbox.write(List.of(takingAll(found.get(7))));
    List<Answer> answers = new ArrayList<>();
    List<String> sent =
        fixture.commands.names(
            () ->
                answers.addAll(
                    outbox.write(found.stream().map(MongoOutboxTest::takingAll).toList())));
    assertEquals(List.of("update", "find"), sent);
    for (int i = 0; i < 9; i++) {
      if (i == 3) {
        assertEquals(2, found(answers.get(i)).waiting().size());
      } else {
        boolean gone = i == 5 || i == 7;
        assertEquals(gone ? new Answer.Refused(null) : new Answer.Written(true), answers.get(i));
      }
    }
    assertEquals(8, collection.countDocuments(), "no document was inserted");
  }

  @Test
  @DisplayName("in documents of their own go with the last of them, by one delete for all")
  void own() {
    IntStream.range(0, 20).forEach(i -> putOwn(collection, "m" + i));
    publish(EntityKey.key("k"), "a");
    List<OutboxRecord> found = outbox.due(0, FAR, 100);
    collection.deleteOne(new Document("_id", "m3"));
    OutboxRecord parked = found.get(4);
    String id = parked.waiting().get(0).id();
    OutboxChange parking = new OutboxChange(parked, Set.of(), Set.of(id), Set.of(), 0, 0);
    assertEquals(List.of(new Answer.Written(false)), outbox.write(List.of(parking)));
    List<OutboxChange> all = found.stream().map(MongoOutboxTest::takingAll).toList();
    List<Answer> answers = new ArrayList<>();
    List<String> sent = fixture.commands.names(() -> answers.addAll(outbox.write(all)));
    assertEquals(List.of("delete", "find", "update"), sorted(sent));
    assertEquals(1, answers.stream().filter(Answer.Refused.class::isInstance).count());
    assertEquals(20, answers.stream().filter(new Answer.Written(true)::equals).count());
    assertEquals(Set.of("k", id), ids());
    OutboxRecord aside = outbox.parked(0, 10).get(0);
    assertEquals(
        List.of(new Answer.Written(true), new Answer.Refused(null)),
        List.of(
            outbox.write(List.of(taking(aside, id))).get(0),
            outbox.write(List.of(taking(aside, id))).get(0)));
    assertEquals(Set.of("k"), ids());
  }

  private static List<String> sorted(List<String> names) {
    List<String> sorted = new ArrayList<>(names);
    Collections.sort(sorted);
    return sorted;
  }

  private Set<Object> ids() {
    return collection.find().map(one -> one.get("_id")).into(new java.util.HashSet<>());
  }

  @Test
  @DisplayName("are found and cleared whatever their document's key is, and in sharded collections")
  void keys() {
    MongoOutbox routed =
        MongoOutbox.builder(collection).tracking(oneShard).routedBy("tenant", "at.zone").build();
    List<Object> ids =
        List.of(
            new ObjectId(),
            7,
            "text",
            new Document("a", 1).append("b", "x"),
            new BsonBinary(UUID.randomUUID()));
    for (Object id : ids) {
      putOwn(collection, "m");
      Document document =
          Objects.requireNonNull(collection.findOneAndDelete(new Document("_id", "m")));
      document.remove("_outbox#own");
      document.put("_id", id);
      collection.insertOne(document.append("tenant", id).append("at", new Document("zone", 2)));
    }
    putOwn(collection, "no fields of a shard key");
    List<OutboxRecord> found = routed.due(0, FAR, 100);
    assertEquals(6, found.size());
    assertEquals(found.get(0).key(), routed.read(found.get(0).key()).orElseThrow().key());
    collection.updateOne(new Document("_id", 7), Updates.set("tenant", "other"));
    List<Answer> answers = routed.write(found.stream().map(MongoOutboxTest::takingAll).toList());
    assertEquals(5, answers.stream().filter(new Answer.Written(true)::equals).count());
    assertEquals(1, kept());
  }

  @Test
  @DisplayName("are not looked for without their index, which would read all documents")
  void withoutIndex() {
    MongoCollection<Document> bare = fixture.documents();
    bare.insertOne(new Document("_id", 1));
    MongoOutbox unindexed = MongoOutbox.of(bare);
    assertThrows(IllegalStateException.class, () -> unindexed.due(0, FAR, 1));
    assertThrows(IllegalStateException.class, () -> unindexed.parked(0, 1));
    unindexed.createIndex();
    assertEquals(List.of(), unindexed.due(0, FAR, 1));
    bare.drop();
    assertEquals(List.of(), MongoOutbox.of(fixture.documents()).due(0, FAR, 1));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "{_outbox: 7}",
        "{_outbox: [7]}",
        "{_outbox: [{id: 'a', payload: 'x'}]}",
        "{_outbox: [{id: 1, topic: 't', payload: 'x'}]}",
        "{_outbox: {'0': {id: 'a', topic: 't', payload: 'x'}}}",
        "{}",
        "{_outbox: []}"
      })
  @DisplayName("that cannot be read hold back no others")
  void unreadable(String json) {
    try (MongoLog log = MongoLog.of(MongoOutbox.class)) {
      for (int i = 0; i < 5; i++) {
        BsonDocument stored =
            BsonDocument.parse("{_id: 'x" + i + "', '_outbox#shard': 0, '_outbox#due': 1}");
        stored.putAll(BsonDocument.parse(json));
        collection.withDocumentClass(BsonDocument.class).insertOne(stored);
      }
      publish(EntityKey.key("k"), "a");
      List<OutboxRecord> found = outbox.due(0, FAR, 2);
      assertEquals(List.of("a"), found.stream().map(r -> r.waiting().get(0).id()).toList());
      assertEquals(
          List.of(new Answer.Written(true)), outbox.write(List.of(takingAll(found.get(0)))));
      boolean some = json.contains("{'0'") || json.contains("[7") || json.contains("[{");
      assertEquals(some ? 1 : 0, log.said().size(), "what has none is no error");
    }
  }

  @Test
  @DisplayName("are cleared where another's field has the name of ours, and the document stays")
  void otherOwn() {
    publish(EntityKey.key("a"), "a");
    publish(EntityKey.key("b"), "b");
    publish(EntityKey.key("c"), "c");
    collection.updateOne(new Document("_id", "a"), Updates.set("_outbox#own", null));
    collection.updateOne(new Document("_id", "b"), Updates.set("_outbox#own", "yes"));
    List<OutboxChange> all =
        outbox.due(0, FAR, 9).stream().map(MongoOutboxTest::takingAll).toList();
    assertEquals(Collections.nCopies(3, new Answer.Written(true)), outbox.write(all));
    assertEquals(0, kept());
    assertEquals(3, collection.countDocuments());
  }

  @Test
  @DisplayName("that fill a document are left as they are by what has no room, which says so")
  void full() {
    publish(EntityKey.key("k"), "a", "b");
    RawBsonDocument stored =
        Objects.requireNonNull(collection.withDocumentClass(RawBsonDocument.class).find().first());
    int left = 16 * 1_024 * 1_024 - stored.getByteBuffer().remaining() - 11;
    collection.updateOne(new Document(), Updates.set("note", "x".repeat(left)));
    OutboxRecord found = outbox.due(0, FAR, 1).get(0);
    Set<String> first = Set.of("a");
    List<OutboxChange> none =
        List.of(
            new OutboxChange(found, Set.of(), Set.of(), Set.of(), 1, 9),
            new OutboxChange(found, Set.of(), first, Set.of(), 0, 9));
    for (OutboxChange change : none) {
      Answer.Unsure answer =
          assertInstanceOf(Answer.Unsure.class, outbox.write(List.of(change)).get(0));
      assertInstanceOf(TooLargeException.class, answer.error());
    }
    OutboxChange makesRoom = new OutboxChange(found, Set.of("b"), first, Set.of(), 0, 9);
    assertEquals(List.of(new Answer.Written(false)), outbox.write(List.of(makesRoom)));
  }

  @Test
  @DisplayName("keep what only a later version knows, parked or released")
  void later() {
    putOwn(collection, "m");
    collection.updateOne(new Document(), Updates.set("_outbox.0.origin", "c1"));
    OutboxRecord found = outbox.due(0, FAR, 1).get(0);
    outbox.write(List.of(new OutboxChange(found, Set.of(), Set.of("m"), Set.of(), 0, 0)));
    OutboxRecord aside = outbox.parked(0, 1).get(0);
    outbox.write(List.of(new OutboxChange(aside, Set.of(), Set.of(), Set.of("m"), 0, 5)));
    Document stored = Objects.requireNonNull(collection.find().first());
    assertEquals("c1", stored.getList("_outbox", Document.class).get(0).getString("origin"));
    assertFalse(stored.containsKey("_outbox#parked"));
    assertEquals(0L, stored.get("_outbox#shard"));
  }

  @Test
  @DisplayName("are in no key that is kept for long")
  void bare() {
    putOwn(collection, "m");
    Object key = outbox.due(0, FAR, 1).get(0).key();
    assertFalse(((OutboxKey) key).image().isEmpty());
    assertTrue(((OutboxKey) outbox.bare(key)).image().isEmpty());
  }

  @Test
  @DisplayName("of one ID are one message, and go together with no other")
  void twins() {
    publish(EntityKey.key("k"), "x");
    OutboxRecord old = outbox.due(0, FAR, 1).get(0);
    publish(EntityKey.key("k"), "x");
    OutboxRecord twice = outbox.due(0, FAR, 1).get(0);
    assertInstanceOf(Answer.Refused.class, outbox.write(List.of(takingAll(old))).get(0));
    publish(EntityKey.key("k"), "y");
    assertInstanceOf(Answer.Refused.class, outbox.write(List.of(takingAll(twice))).get(0));
    OutboxRecord now = outbox.due(0, FAR, 1).get(0);
    assertEquals(List.of(new Answer.Written(false)), outbox.write(List.of(taking(now, "x"))));
    assertEquals(1, outbox.due(0, FAR, 1).get(0).waiting().size());
  }

  @Test
  @DisplayName("are unsure where no answer came, and a repeat does no harm")
  void unsure() {
    publish(EntityKey.key("k"), "a", "b");
    try (Proxied proxied = Proxied.open()) {
      MongoOutbox far = outbox(proxied.client().getDatabase("tests").getCollection(name()));
      OutboxRecord found = far.due(0, FAR, 1).get(0);
      proxied.proxy().loseReplies(0, 2, () -> {});
      Answer lost = far.write(List.of(taking(found, "a"))).get(0);
      proxied.proxy().heal();
      assertInstanceOf(Answer.Unsure.class, lost);
      Answer again = far.write(List.of(taking(found, "a"))).get(0);
      assertEquals(1, found(again).waiting().size());
      proxied.proxy().loseReplies(0, 1, () -> {});
      OutboxRecord rest = far.due(0, FAR, 1).get(0);
      assertEquals(List.of(new Answer.Written(true)), far.write(List.of(takingAll(rest))));
    }
  }

  private String name() {
    return collection.getNamespace().getCollectionName();
  }

  @Test
  @DisplayName("want a collection that can keep them")
  void kinds() {
    MongoCollection<Document> weak = collection.withWriteConcern(WriteConcern.W1);
    assertThrows(IllegalArgumentException.class, () -> MongoOutbox.of(weak));
    assertEquals(
        weak.getNamespace().getFullName(),
        MongoOutbox.builder(weak).allowWeakerConcern().build().name());
    assertThrows(
        IllegalArgumentException.class, () -> MongoOutbox.builder(collection).routedBy("_id"));
    assertThrows(IllegalArgumentException.class, () -> outbox.read("k"));
    String name = "c" + UUID.randomUUID();
    Collation collation = Collation.builder().locale("en").build();
    fixture
        .client
        .getDatabase("tests")
        .createCollection(name, new CreateCollectionOptions().collation(collation));
    MongoCollection<Document> compared = fixture.client.getDatabase("tests").getCollection(name);
    assertThrows(IllegalArgumentException.class, () -> MongoOutbox.of(compared));
    assertEquals(4, MongoOutbox.builder(compared).assumePlainCollection().build().shards());
  }
}
