package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A change of odd numbers means the same alone, in a batch, in a transaction")
final class OneMeaningTest {
  private static final List<@Nullable Object> NUMBERS =
      Arrays.asList(
          null,
          7,
          7L,
          0.0,
          -0.0,
          0.1,
          1e300,
          Double.MAX_VALUE,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          Long.MAX_VALUE,
          Long.MIN_VALUE,
          Integer.MAX_VALUE,
          9007199254740993L,
          Decimal128.parse("0.10"),
          Decimal128.parse("1E-33"),
          Decimal128.parse("9.999999999999999999999999999999999E+6144"),
          Decimal128.NaN,
          Decimal128.POSITIVE_INFINITY,
          Decimal128.NEGATIVE_INFINITY,
          Decimal128.NEGATIVE_ZERO,
          BsonNull.VALUE,
          "7",
          true,
          new BsonDateTime(7),
          List.of(7L),
          new Document("a", 7L));

  private static final List<Number> AMOUNTS =
      List.of(
          0,
          1,
          -1,
          Long.MAX_VALUE,
          Long.MIN_VALUE,
          0.1,
          -0.0,
          Double.MAX_VALUE,
          new BigDecimal("0.1"),
          new BigDecimal("1E+6000"),
          new BigDecimal("-1E-33"));

  private static final List<@Nullable Object> SETS =
      Arrays.asList(
          null,
          List.of(),
          List.of(1, 2),
          List.of(1, 1L, 1.0),
          List.of(0.1, Decimal128.parse("0.1")),
          List.of(0.0, -0.0),
          List.of(Double.NaN),
          List.of(Double.NaN, Decimal128.NaN, 1),
          List.of(Double.POSITIVE_INFINITY, Decimal128.NEGATIVE_INFINITY, 1),
          List.of(9007199254740993L, 9007199254740992.0),
          List.of("1", 1),
          Arrays.asList(null, 1),
          List.of(List.of(1)),
          Double.NaN,
          7,
          "1");

  private static final List<Object> ELEMENTS =
      List.of(
          1,
          1.0,
          new BigDecimal("1.00"),
          0.1,
          new BigDecimal("0.1"),
          0,
          -0.0,
          9007199254740992L,
          9007199254740993L,
          9007199254740992.0,
          new BigDecimal("0.1000000000000000055511151231257827"));

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(documents);

  @AfterEach
  void close() {
    fixture.close();
  }

  private interface Way {
    Result<Document> make(Write<Document> write);
  }

  private Map<String, Way> ways() {
    Map<String, Way> ways = new LinkedHashMap<>();
    ways.put("alone", this::alone);
    ways.put("asking", write -> alone(returning(write)));
    ways.put("in a batch", write -> store.writeAll(List.of(write)).get(0));
    return ways;
  }

  private static Write<Document> returning(Write<Document> write) {
    Change change = (Change) ((Write.Action.Update<Document>) write.action()).update();
    return Write.update(write.message(), write.key(), change.returning());
  }

  private Result<Document> alone(Write<Document> write) {
    try {
      return new Result.Judged<>(store.write(write));
    } catch (RuntimeException e) {
      return new Result.Failed<>(e);
    }
  }

  /** In a transaction it is sent as it is evaluated here, over what was read. */
  private Result<Document> joined(Write<Document> write) {
    try {
      return new Result.Judged<>(
          cast(MongoTransaction.on(fixture.client).write(store, write).commit().outcomes().get(0)));
    } catch (RuntimeException e) {
      return new Result.Failed<>(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static dev.tidemark.Outcome<Document> cast(java.util.Optional<?> outcome) {
    return (dev.tidemark.Outcome<Document>) outcome.orElseThrow();
  }

  private static String told(Result<Document> result) {
    if (result instanceof Result.Failed<Document> failed) {
      return failed.fault().getClass().getSimpleName();
    }
    return ((Result.Judged<Document>) result).outcome().getClass().getSimpleName();
  }

  /**
   * Of numbers their value alone: a list that is written whole has the first form of equal ones.
   */
  private static Object plain(@Nullable BsonValue value) {
    if (value instanceof BsonArray array) {
      return array.stream().map(OneMeaningTest::plain).toList();
    }
    Object neutral = value == null ? "missing" : Values.decode(value);
    return neutral instanceof Number number
        ? new BigDecimal(number.toString()).stripTrailingZeros()
        : neutral;
  }

  private String outcome(Way way, @Nullable Object stored, Change change) {
    EntityKey key = MongoFixture.key();
    store.update(MessageId.of(UUID.randomUUID()), key, change().set("x", 1).createIfMissing());
    Document id = new Document("_id", key.parts().get(0));
    if (stored != null) {
      documents.updateOne(id, new Document("$set", new Document("v", stored)));
    }
    Result<Document> result = way.make(Write.update(MessageId.of(UUID.randomUUID()), key, change));
    BsonDocument after =
        Objects.requireNonNull(documents.withDocumentClass(BsonDocument.class).find(id).first());
    return told(result) + " " + plain(after.get("v"));
  }

  private void compare(@Nullable Object stored, Change change, String shown) {
    String evaluated = outcome(this::joined, stored, change);
    ways()
        .forEach(
            (name, way) ->
                assertEquals(evaluated, outcome(way, stored, change), () -> shown + " " + name));
  }

  @Test
  @DisplayName("numbers that are added to")
  void sums() {
    for (Object number : NUMBERS) {
      for (Number amount : AMOUNTS) {
        compare(number, change().add("v", amount), number + " + " + amount);
      }
    }
  }

  @Test
  @DisplayName("sets that are added to and removed from")
  void sets() {
    for (Object set : SETS) {
      for (Object element : ELEMENTS) {
        compare(set, change().removeFromSet("v", element), set + " - " + element);
        compare(set, change().addToSet("v", element), set + " | " + element);
      }
      compare(set, change().append("v", 1), set + " ++ 1");
      compare(set, change().setIfAbsent("v", 1), set + " ?= 1");
    }
  }

  @Test
  @DisplayName("elements that are stored as one, of which a set takes one")
  void alike() {
    Instant time = Instant.ofEpochMilli(7);
    Map<Change, Change> pairs =
        Map.of(
            change().addToSet("v", time),
            change().addToSet("v", time, time.plusNanos(1_000)),
            change().addToSet("v", Letter.a),
            change().addToSet("v", Letter.a, "a"),
            change().addToSet("v", new Document("n", 1)),
            change().addToSet("v", new Document("n", 1), new Document("n", 1L)));
    for (Object set : Arrays.asList(null, List.of(), List.of(new BsonDateTime(9)))) {
      pairs.forEach(
          (one, both) -> {
            String expected = outcome(this::alone, set, one);
            compare(set, both, "" + both);
            assertEquals(expected, outcome(this::alone, set, both), "" + both);
          });
    }
  }

  private enum Letter {
    a
  }

  private static final List<Change> CHANGES =
      List.of(
          change().set("v", 1),
          change().set("v", Set.of(1)),
          change().set("v", Set.of("a")),
          change().set("v", List.of("a")),
          change().setIfAbsent("v", 1.0),
          change().remove("v"),
          change().add("v", 1),
          change().add("v", Long.MAX_VALUE),
          change().add("v", -1),
          change().add("v", 0.1),
          change().add("v", new BigDecimal("1E+20")),
          change().add("v", new BigDecimal("1E-19")),
          change().addToSet("v", "a"),
          change().addToSet("v", 1, 2),
          change().addToSet("v", 1L),
          change().addToSet("v", new BigDecimal("1.0")),
          change().addToSet("v", new byte[] {1}),
          change().addToSet("v", Instant.EPOCH),
          change().addToSet("v", Instant.EPOCH.plusNanos(1)),
          change().addToSet("v", new BsonInt32(1)),
          change().addToSet("v", Letter.a),
          change().removeFromSet("v", "a"),
          change().removeFromSet("v", 1L),
          change().append("v", 1),
          change().append("v", "a"));

  /** What two changes of a new entity come to, made by a number of batches. */
  private String outcomes(Change one, Change next, boolean together) {
    EntityKey key = MongoFixture.key();
    store.update(MessageId.of(UUID.randomUUID()), key, change().set("x", 1).createIfMissing());
    List<Write<Document>> writes =
        List.of(
            Write.update(MessageId.of(UUID.randomUUID()), key, one),
            Write.update(MessageId.of(UUID.randomUUID()), key, next));
    List<Result<Document>> results =
        together ? store.writeAll(writes) : writes.stream().map(this::alone).toList();
    BsonDocument after =
        Objects.requireNonNull(
            documents
                .withDocumentClass(BsonDocument.class)
                .find(new Document("_id", key.parts().get(0)))
                .first());
    return results.stream().map(OneMeaningTest::told).toList() + " " + plain(after.get("v"));
  }

  @Test
  @DisplayName("and two of them mean in one batch what they mean one after the other")
  void pairs() {
    for (Change one : CHANGES) {
      for (Change next : CHANGES) {
        assertEquals(
            outcomes(one, next, false),
            outcomes(one, next, true),
            () -> one.operations() + " " + next.operations());
      }
    }
  }
}
