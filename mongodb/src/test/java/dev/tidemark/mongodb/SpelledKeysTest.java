package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonRepresentation;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The keys of one document are taken for one entity, however they are spelled")
final class SpelledKeysTest {
  /** Its key may be given as digits or as what they are stored as. */
  public record Row(
      @BsonId @BsonRepresentation(BsonType.OBJECT_ID) String id,
      @Nullable String region,
      @Nullable Long total) {}

  private static final Change CREATE = change().set("total", 0L).createIfMissing();

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Row> rows =
      fixture.client.getDatabase("tests").getCollection("s" + UUID.randomUUID(), Row.class);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static <T> Write<T> event(int position, EntityKey key, long amount) {
    return Write.update(
        SourceEvent.of("O", "1", position), key, change().createIfMissing().add("total", amount));
  }

  private static <T> List<String> words(List<Result<T>> results) {
    return results.stream()
        .map(
            result ->
                result
                    .outcomeIfJudged()
                    .map(outcome -> outcome.getClass().getSimpleName())
                    .orElse(result.getClass().getSimpleName()))
        .toList();
  }

  private MongoEntityStore<Row> store(EventPolicy policy) {
    return MongoEntityStore.builder(rows).tracking(Tracking.defaults().events(policy)).build();
  }

  /** Sends events in disorder under two keys of one document. */
  private void assertOne(EntityKey one, EntityKey other) {
    MongoEntityStore<Row> store = store(EventPolicy.dropLate());
    assertEquals(
        List.of("Applied"),
        words(store.writeAll(List.of(Write.update(MessageId.of("m"), one, CREATE)))));
    List<Result<Row>> results =
        store.writeAll(List.of(event(2, one, 10), event(1, other, 1), event(3, one, 100)));
    assertEquals(List.of("Applied", "Applied", "Applied"), words(results));
    assertEquals(111L, store.find(one).orElseThrow().total());
    List<Result<Row>> held =
        store(EventPolicy.contiguous())
            .writeAll(List.of(event(6, other, 1), event(5, one, 1), event(4, other, 1000)));
    assertEquals(List.of("Applied", "Applied", "Applied"), words(held));
    List<Result<Row>> gap =
        store(EventPolicy.contiguous()).writeAll(List.of(event(8, one, 1), event(9, other, 1)));
    assertEquals(List.of("Gap", "HeldBack"), words(gap));
  }

  @Test
  @DisplayName("as text, or as what the text is stored as")
  void forms() {
    String hex = new ObjectId().toHexString();
    assertOne(EntityKey.key(hex), EntityKey.key(new ObjectId(hex)));
  }

  /** Its key is a decimal of the driver's. */
  public record Priced(@BsonId Decimal128 id, @Nullable Decimal128 price, @Nullable Long total) {}

  @Test
  @DisplayName("as a decimal of the driver's, or as a number of Java's")
  void decimals() {
    MongoCollection<Document> documents = fixture.documents();
    MongoCollection<Priced> priced = documents.withDocumentClass(Priced.class);
    for (Object id : List.of(Decimal128.parse("2.750"), Decimal128.parse("2"), 3.5, 4)) {
      documents.insertOne(new Document("_id", id).append("price", Decimal128.parse("0.5")));
    }
    Decimal128 half = Decimal128.parse("0.50");
    Change add = change().add("total", 5L).onlyIf(Condition.attribute("price").is(half));
    for (String id : List.of("2.75", "2", "3.5", "4")) {
      for (Object key : List.of(Decimal128.parse(id), new BigDecimal(id))) {
        assertAdded(MongoEntityStore.of(documents), key, add);
        if (!id.startsWith("3") && !id.equals("4")) {
          assertAdded(MongoEntityStore.of(priced), key, add);
        }
      }
    }
    List<Long> totals = documents.distinct("total", Long.class).into(new ArrayList<>());
    assertEquals(List.of(10L, 20L), totals);
    assertEquals(4, documents.countDocuments());
  }

  private static void assertAdded(MongoEntityStore<?> store, Object key, Change add) {
    assertTrue(store.update(MessageId.of(UUID.randomUUID()), EntityKey.key(key), add).isApplied());
  }

  @Test
  @DisplayName("with the fields that route it, or without")
  void routed() {
    EntityKey key = EntityKey.key(new ObjectId().toHexString());
    EntityKey europe = key.routedBy("region", "eu");
    assertOne(europe, key);
    List<Result<Row>> elsewhere =
        store(EventPolicy.dropLate())
            .writeAll(List.of(event(10, europe, 1), event(11, key.routedBy("region", "us"), 1)));
    assertEquals(List.of("Applied", "Failed"), words(elsewhere));
  }

  @Test
  @DisplayName("in a cache of marks, which forgets it under each of them")
  void cached() {
    String hex = new ObjectId().toHexString();
    EntityKey routed = EntityKey.key(hex).routedBy("region", "eu");
    List<EntityKey> spellings = List.of(EntityKey.key(hex), EntityKey.key(new ObjectId(hex)));
    MongoEntityStore<Row> store =
        MongoEntityStore.builder(rows).markCache(MarkCache.in(new ConcurrentHashMap<>())).build();
    for (EntityKey one : spellings) {
      for (EntityKey other : spellings) {
        assertForgotten(store, one, other);
      }
      assertForgotten(store, routed, one);
    }
    assertForgotten(
        MongoEntityStore.builder(fixture.documents())
            .markCache(MarkCache.in(new ConcurrentHashMap<>()))
            .build(),
        EntityKey.key(1L),
        EntityKey.key(new BsonInt32(1)));
  }

  private static <T> void assertForgotten(
      MongoEntityStore<T> store, EntityKey one, EntityKey other) {
    assertEquals(List.of("Applied"), words(store.writeAll(List.of(event(1, one, 1)))));
    assertEquals(List.of("Duplicate"), words(store.writeAll(List.of(event(1, other, 1)))));
    assertTrue(store.forget(MessageId.of("forget"), other).isDone());
    assertEquals(List.of("Applied"), words(store.writeAll(List.of(event(1, one, 1)))));
    assertTrue(store.forget(MessageId.of("forget"), one).isDone());
  }

  @Test
  @DisplayName("and no others: a UUID is not its bytes, in a batch and a cache")
  void bytes() {
    UUID uuid = UUID.randomUUID();
    byte[] bytes = new BsonBinary(uuid).getData();
    MongoCollection<Document> documents = fixture.documents();
    MongoEntityStore<Document> store =
        MongoEntityStore.builder(documents)
            .markCache(MarkCache.in(new ConcurrentHashMap<>()))
            .build();
    Change add = change().add("total", 1L).createIfMissing();
    MessageId id = MessageId.of("m");
    for (Object key : List.of(uuid, bytes)) {
      assertTrue(store.update(id, EntityKey.key(key), add).isApplied());
    }
    MessageId next = MessageId.of("n");
    store.writeAll(
        List.of(
            Write.update(next, EntityKey.key(uuid), add),
            Write.update(next, EntityKey.key(bytes), add)));
    assertEquals(2, documents.countDocuments(new Document("total", 2L)));
  }

  /** A key whose codec does not write odd numbers. */
  private record Even(int number) {}

  private static final class EvenCodec implements Codec<Even> {
    @Override
    public void encode(BsonWriter writer, Even value, EncoderContext context) {
      if (value.number() < 0) {
        throw new OutOfMemoryError("on purpose");
      }
      if (value.number() % 2 != 0) {
        throw new UnsupportedOperationException("odd");
      }
      writer.writeInt32(value.number());
    }

    @Override
    public Even decode(BsonReader reader, DecoderContext context) {
      return new Even(reader.readInt32());
    }

    @Override
    public Class<Even> getEncoderClass() {
      return Even.class;
    }
  }

  @Test
  @DisplayName("and one that its codec does not write fails its message alone")
  void failing() {
    MongoEntityStore<Document> store =
        MongoEntityStore.of(
            fixture
                .documents()
                .withCodecRegistry(
                    CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new EvenCodec()),
                        MongoClientSettings.getDefaultCodecRegistry())));
    List<Write<Document>> writes = new ArrayList<>();
    for (int number = 2; number < 5; number++) {
      writes.add(event(1, EntityKey.key(new Even(number)), 1));
    }
    assertEquals(List.of("Applied", "Failed", "Applied"), words(store.writeAll(writes)));
    writes.add(event(1, EntityKey.key(new Even(-1)), 1));
    assertThrows(OutOfMemoryError.class, () -> store.writeAll(writes));
  }

  private static final List<BsonValue> IDS =
      List.of(
          new BsonInt32(1),
          new BsonInt64(1),
          new BsonDouble(1),
          new BsonDecimal128(Decimal128.parse("1.00")),
          new BsonInt32(0),
          new BsonDouble(-0.0),
          new BsonDecimal128(Decimal128.NEGATIVE_ZERO),
          new BsonDouble(0.1),
          new BsonDecimal128(Decimal128.parse("0.1")),
          new BsonDouble(Double.NaN),
          new BsonDecimal128(Decimal128.NaN),
          new BsonDouble(Double.POSITIVE_INFINITY),
          new BsonDecimal128(Decimal128.POSITIVE_INFINITY),
          new BsonDouble(Double.NEGATIVE_INFINITY),
          new BsonInt64(9_007_199_254_740_993L),
          new BsonDouble(9_007_199_254_740_992.0),
          new BsonString("1"),
          new BsonString(""),
          BsonBoolean.TRUE,
          new BsonDateTime(1),
          new BsonTimestamp(1),
          new BsonObjectId(new ObjectId("000000000000000000000001")),
          new BsonBinary((byte) 0, new byte[16]),
          new BsonBinary((byte) 3, new byte[16]),
          new BsonBinary((byte) 4, new byte[16]),
          new BsonBinary((byte) 5, new byte[16]),
          new BsonDocument(),
          BsonDocument.parse("{a: 1, b: 2}"),
          BsonDocument.parse("{a: 1.0, b: 2}"),
          BsonDocument.parse("{b: 2, a: 1}"),
          BsonDocument.parse("{a: [1, 2]}"),
          BsonDocument.parse("{a: [2, 1]}"),
          BsonDocument.parse("{a: {a: 1}}"),
          BsonDocument.parse("{a: null}"));

  @Test
  @DisplayName("as the server takes ids for equal")
  void ids() {
    MongoCollection<BsonDocument> documents =
        fixture.documents().withDocumentClass(BsonDocument.class);
    for (BsonValue one : IDS) {
      documents.insertOne(new BsonDocument("_id", one));
      for (BsonValue other : IDS) {
        boolean taken =
            documents.countDocuments(new BsonDocument("_id", new BsonDocument("$eq", other))) > 0;
        boolean same = ReadRule.identity(one).equals(ReadRule.identity(other));
        assertEquals(taken, same, one + " and " + other);
        assertEquals(taken, ReadRule.equal(one, other), one + " and " + other);
      }
      documents.drop();
    }
  }

  @Test
  @DisplayName("in a transaction, too, which takes one write of it for a message")
  void inTransaction() {
    String hex = new ObjectId().toHexString();
    MongoEntityStore<Row> store = store(EventPolicy.dropLate());
    MongoTransaction twice =
        MongoTransaction.on(fixture.client)
            .write(store, event(1, EntityKey.key(hex), 1))
            .write(store, event(1, EntityKey.key(new ObjectId(hex)).routedBy("region", "eu"), 1));
    assertThrows(IllegalArgumentException.class, twice::commit);
  }

  @Test
  @DisplayName("and publish under one ID and in one shard, by every call")
  void published() {
    String hex = new ObjectId().toHexString();
    MongoEntityStore<Row> store = MongoEntityStore.of(rows);
    MongoOutbox entities = MongoOutbox.of(rows);
    entities.createIndex();
    MongoCollection<Document> messages = fixture.documents();
    MongoOutbox outbox = MongoOutbox.of(messages);
    OutgoingMessage text = OutgoingMessage.to("orders", "text");
    Set<String> published = new HashSet<>();
    for (Object spelled : List.of(hex, new ObjectId(hex), new BsonObjectId(new ObjectId(hex)))) {
      EntityKey key = EntityKey.key(spelled);
      Write<Row> write = Write.update(MessageId.of("m"), key, CREATE.publish(text));
      List<Runnable> calls =
          List.of(
              () -> store.writeAll(List.of(write)),
              () ->
                  MongoTransaction.on(fixture.client)
                      .write(store, write)
                      .publish(outbox, text)
                      .commit());
      for (Runnable call : calls) {
        call.run();
        for (int shard = 0; shard < entities.shards(); shard++) {
          String place = shard + " ";
          entities
              .due(shard, Long.MAX_VALUE, 10)
              .forEach(record -> published.add(place + record.waiting().get(0).id()));
        }
        rows.deleteMany(new Document());
      }
    }
    assertEquals(1, published.size());
    assertEquals(1, messages.countDocuments());
  }
}
