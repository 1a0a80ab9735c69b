package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Attribute;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.types.Binary;
import org.bson.types.Decimal128;
import org.bson.types.MinKey;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A rule over a document that was read")
final class ReadRuleTest {
  private static final CodecRegistry REGISTRY = MongoClientSettings.getDefaultCodecRegistry();
  private static final Codec<Document> CODEC = REGISTRY.get(Document.class);
  private static final PropertyValues VALUES =
      new PropertyValues(new MappedClass(Document.class, CODEC, REGISTRY, true), CODEC, REGISTRY);
  private static final String EMOJI = "\uD83D\uDE00";
  private static final ObjectId OBJECT = new ObjectId("507f1f77bcf86cd799439011");
  private static final Instant TIME = Instant.ofEpochMilli(5);

  private static final List<@Nullable Object> STORED =
      Arrays.asList(
          null,
          1,
          1L,
          -0.0,
          0.1,
          1e300,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Decimal128.parse("0.1"),
          Decimal128.parse("1.00"),
          Decimal128.parse("-0"),
          Decimal128.parse("1E+6144"),
          Decimal128.NaN,
          Decimal128.POSITIVE_INFINITY,
          Decimal128.NEGATIVE_INFINITY,
          9_007_199_254_740_993L,
          9_007_199_254_740_992.0,
          "a",
          EMOJI,
          "\uFFFD",
          "",
          true,
          Instant.ofEpochMilli(5),
          Instant.ofEpochMilli(-6),
          OBJECT,
          new BsonTimestamp(5),
          new Binary(new byte[16]),
          new Binary((byte) 4, new byte[16]),
          new Binary((byte) 5, new byte[16]),
          List.of("a", 1, 0.1),
          List.of(),
          List.of(EMOJI, "b"),
          List.of(2, 1.5),
          Arrays.asList((Object) null),
          new Document("b", 1).append("c", null),
          new MinKey());

  private static final List<Object> OPERANDS =
      List.of(
          1,
          0,
          0.1,
          new BigDecimal("0.1"),
          new BigDecimal("1.0"),
          9_007_199_254_740_993L,
          9_007_199_254_740_992.0,
          "a",
          EMOJI,
          "\uFFFD",
          "",
          TIME,
          Instant.ofEpochMilli(-6),
          OBJECT);

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static List<Condition> rules() {
    Attribute value = attribute("v");
    List<Condition> rules = new ArrayList<>(List.of(value.exists(), value.isMissing()));
    for (String path : List.of("v.b", "v.c", "v.d")) {
      rules.add(attribute(path).exists());
      rules.add(attribute(path).is(1));
    }
    for (int size = 1; size < 4; size++) {
      rules.add(value.sizeBelow(size));
    }
    for (Condition.Kind kind : Condition.Kind.values()) {
      rules.add(new Condition.Test(Path.of("v"), Condition.Operator.OF_KIND, kind));
    }
    for (Object operand : OPERANDS) {
      rules.addAll(
          List.of(
              value.is(operand),
              value.lessThan(operand),
              value.atMost(operand),
              value.greaterThan(operand),
              value.atLeast(operand),
              value.contains(operand),
              new Condition.Test(Path.of("v"), Condition.Operator.IN, List.of(operand, "other"))));
    }
    rules.addAll(List.of(value.is(true), value.contains(true)));
    rules.add(value.is(new byte[16]).or(value.is(2)).not());
    return rules;
  }

  @Test
  @DisplayName("is true where it is on the server, whatever is stored")
  void asOnTheServer() {
    List<Condition> rules = rules();
    BsonArray answers = new BsonArray();
    Conditions conditions = new Conditions(VALUES);
    rules.forEach(rule -> answers.add(Expressions.all(List.of(conditions.render(rule)))));
    BsonDocument asked = new BsonDocument("answers", answers).append("v", new BsonString("$v"));
    documents.insertOne(new Document("_id", -1));
    for (int place = 0; place < STORED.size(); place++) {
      documents.insertOne(new Document("_id", place).append("v", STORED.get(place)));
    }
    for (int place = -1; place < STORED.size(); place++) {
      BsonDocument read =
          Objects.requireNonNull(
              documents
                  .withDocumentClass(BsonDocument.class)
                  .find(new Document("_id", place))
                  .projection(asked)
                  .first());
      for (int i = 0; i < rules.size(); i++) {
        assertEquals(
            read.getArray("answers").get(i).asBoolean().getValue(),
            new ReadRule(read, VALUES).isTrue(rules.get(i)),
            rules.get(i) + ", rule " + i + ", over " + read.get("v"));
      }
    }
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  /** The outcome of a message in a batch, where it does not stand alone. */
  private static Outcome<?> batched(
      MongoEntityStore<Document> store, EntityKey key, Change change) {
    List<Write<Document>> writes =
        List.of(
            Write.update(id(), key, change),
            Write.update(id(), MongoFixture.key(), change().createIfMissing()));
    Result.Judged<?> judged = assertInstanceOf(Result.Judged.class, store.writeAll(writes).get(0));
    return judged.outcome();
  }

  @Test
  @DisplayName("lets a batch apply what stands under a date, also when a slot has to be closed")
  void underDate() {
    Tracking tracking = Tracking.defaults().messageIds(IdPolicy.last(5));
    MongoEntityStore<Document> store =
        MongoEntityStore.builder(documents).tracking(tracking).build();
    EntityKey key = MongoFixture.key();
    store.update(id(), key, change().set("at", TIME).createIfMissing());
    Change change = change().add("n", 1L).onlyIf(attribute("at").atLeast(TIME)).otherwiseSkip();
    for (int n = 1; n <= 60; n++) {
      assertInstanceOf(Outcome.Applied.class, batched(store, key, change), "message " + n);
    }
    assertEquals(60L, store.find(key).orElseThrow().getLong("n"));
  }

  @Test
  @DisplayName("refuses in a batch what it refuses alone, between doubles and decimals")
  void betweenNumbers() {
    MongoEntityStore<Document> store = MongoEntityStore.of(documents);
    EntityKey key = MongoFixture.key();
    store.update(id(), key, change().set("v", 0.1).createIfMissing());
    Change change = change().add("n", 1L).onlyIf(attribute("v").is(new BigDecimal("0.1")));
    assertInstanceOf(Outcome.Refused.class, store.update(id(), key, change));
    assertInstanceOf(Outcome.Refused.class, batched(store, key, change));
  }
}
