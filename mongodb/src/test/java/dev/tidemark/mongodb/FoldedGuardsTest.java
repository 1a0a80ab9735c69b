package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.TidemarkException;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.bson.BsonBinarySubType;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.bson.types.Binary;
import org.bson.types.Decimal128;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The small guards of folded writes")
final class FoldedGuardsTest {
  private static final int MESSAGES = 120;

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoEntityStore<Document> store(Tracking tracking) {
    return MongoEntityStore.builder(documents).tracking(tracking).build();
  }

  /** A store that measures documents, and so sends the form that answers all questions. */
  private MongoEntityStore<Document> asking(Tracking tracking) {
    return MongoEntityStore.builder(documents).tracking(tracking).listener(call -> {}).build();
  }

  private EntityKey stored(Document document) {
    EntityKey key = MongoFixture.key();
    documents.insertOne(
        new Document("_id", key.parts().get(0))
            .append("n", 0L)
            .append("_rev", new Binary(BsonBinarySubType.UUID_STANDARD, new byte[16])));
    documents.updateOne(id(key), new Document("$set", document));
    return key;
  }

  private static Document id(EntityKey key) {
    return new Document("_id", key.parts().get(0));
  }

  private Document read(EntityKey key) {
    Document document = Objects.requireNonNull(documents.find(id(key)).first());
    List.of("_id", "_rev", "_born", "messageIDs#since", "events#full").forEach(document::remove);
    return document;
  }

  private static String told(Result<Document> result) {
    if (result instanceof Result.Failed<Document> failed) {
      return failed.fault().getClass().getSimpleName();
    }
    return result instanceof Result.Judged<Document> judged
        ? judged.outcome().getClass().getSimpleName()
        : "HeldBack";
  }

  private static String alone(MongoEntityStore<Document> store, Write<Document> write) {
    try {
      return store.write(write).getClass().getSimpleName();
    } catch (TidemarkException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static final List<@Nullable Object> NUMBERS =
      Arrays.asList(
          null,
          7,
          7L,
          0.1,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          -1e300,
          Long.MAX_VALUE,
          Long.MAX_VALUE - 25,
          Long.MAX_VALUE - 24,
          Long.MIN_VALUE,
          Long.MIN_VALUE + 25,
          Long.MIN_VALUE + 24,
          Integer.MAX_VALUE,
          new Decimal128(new BigDecimal("0.10")),
          Decimal128.parse("1E-33"),
          Decimal128.parse("1E+33"),
          Decimal128.NaN,
          "7",
          true,
          new BsonDateTime(7),
          List.of(7L),
          new Document("a", 7L));

  @Test
  @DisplayName("sum what the larger ones do, over whatever is stored")
  void sums() {
    List<Long> amounts = List.of(0L, 25L, -25L, Long.MAX_VALUE, Long.MIN_VALUE);
    for (Object number : NUMBERS) {
      for (long amount : amounts) {
        Document stored = new Document("sum", number);
        Change change = Change.change().add("sum", amount);
        compare(stored, change, number + " + " + amount);
      }
      compare(new Document(), Change.change().add("sum", 25), "missing");
    }
  }

  private void compare(Document stored, Change change, String shown) {
    EntityKey alone = stored(stored);
    EntityKey folded = stored(stored);
    MessageId id = MessageId.of("m");
    String expected = alone(asking(Tracking.defaults()), Write.update(id, alone, change));
    Result<Document> result =
        store(Tracking.defaults()).writeAll(List.of(Write.update(id, folded, change))).get(0);
    assertEquals(expected, told(result), shown);
    assertEquals(read(alone), read(folded), shown);
  }

  @Test
  @DisplayName("take one command for numbers of each type")
  void commands() {
    List<Write<Document>> writes = new ArrayList<>();
    for (Object number : List.of(7, 7L, 0.1, Decimal128.parse("0.10"))) {
      EntityKey key = stored(new Document("sum", number));
      writes.add(Write.update(MessageId.of("m"), key, Change.change().add("sum", 25)));
    }
    MongoEntityStore<Document> store = store(Tracking.defaults());
    assertEquals(
        List.of("update"),
        fixture.commands.names(
            () -> store.writeAll(writes).forEach(result -> assertEquals("Applied", told(result)))));
  }

  @Test
  @DisplayName("judge as the larger ones do, and leave the same marks")
  void judge() {
    Random random = new Random(19);
    List<EventPolicy> policies =
        List.of(
            EventPolicy.dropLate(),
            EventPolicy.contiguous(),
            EventPolicy.denseWindow(4),
            EventPolicy.sparseWindow(4));
    for (EventPolicy policy : policies) {
      Tracking tracking = Tracking.defaults().events(policy).maxSources(4);
      compare(tracking, random, 1);
      compare(tracking, random, 5);
    }
  }

  private void compare(Tracking tracking, Random random, int size) {
    MongoEntityStore<Document> asking = asking(tracking);
    MongoEntityStore<Document> store = store(tracking);
    EntityKey alone = MongoFixture.key();
    EntityKey folded = MongoFixture.key();
    Change change = Change.change().add("n", 1L).createIfMissing();
    for (int i = 0; i < MESSAGES; i += size) {
      List<Write<Document>> singly = new ArrayList<>();
      List<Write<Document>> together = new ArrayList<>();
      for (int j = i; j < i + size; j++) {
        Message message = message(random, j);
        singly.add(Write.update(message, alone, change));
        together.add(Write.update(message, folded, change));
      }
      List<String> expected = told(Batch.oneByOne(asking, singly));
      assertEquals(expected, told(store.writeAll(together)), tracking + ", " + i);
    }
    assertEquals(read(alone), read(folded));
  }

  private static List<String> told(List<Result<Document>> results) {
    return results.stream().map(FoldedGuardsTest::told).toList();
  }

  private static Message message(Random random, int i) {
    if (random.nextInt(4) == 0) {
      return MessageId.of("m" + random.nextInt(20));
    }
    return SourceEvent.of("Order", "" + random.nextInt(5), 1L + i / 6 + random.nextInt(3));
  }

  @Test
  @DisplayName("keep the bound of sources, also where a fold would go past it")
  void sources() {
    for (int bound = 1; bound <= 3; bound++) {
      MongoEntityStore<Document> store = store(Tracking.defaults().maxSources(bound));
      EntityKey key = MongoFixture.key();
      List<Write<Document>> writes = new ArrayList<>();
      for (int source = 0; source <= bound; source++) {
        SourceEvent event = SourceEvent.of("S" + source, "1", 1);
        writes.add(Write.update(event, key, Change.change().add("n", 1L).createIfMissing()));
      }
      List<Result<Document>> results = store.writeAll(writes);
      for (int source = 0; source < bound; source++) {
        assertEquals("Applied", told(results.get(source)), "of " + bound);
      }
      Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, results.get(bound));
      assertInstanceOf(TooLargeException.class, failed.fault());
      assertEquals(bound, store.find(key).orElseThrow().getLong("n"));
    }
  }

  @Test
  @DisplayName("name the record whose marks cannot be read; the others are written")
  void corrupt() {
    List<Object> wrong =
        List.of(
            3,
            List.of(),
            new Document("Order", 3),
            new Document("Order", List.of(1L, 2L)),
            new Document("Order", new Document("1", "text")),
            new Document("Order", new Document("1", List.of(1L))));
    List<Write<Document>> writes = new ArrayList<>();
    for (Object events : wrong) {
      EntityKey key = stored(new Document("events", events));
      writes.add(Write.update(event(), key, Change.change().add("n", 1L)));
      writes.add(Write.update(event(), stored(new Document()), Change.change().add("n", 1L)));
    }
    EntityKey text = stored(new Document("n", "text"));
    writes.add(Write.update(event(), text, Change.change().add("n", 1L)));
    List<Result<Document>> results = store(Tracking.defaults()).writeAll(writes);
    for (int i = 0; i < 2 * wrong.size(); i += 2) {
      Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, results.get(i));
      assertInstanceOf(CorruptRecordException.class, failed.fault());
      assertEquals(0L, read(writes.get(i).key()).getLong("n"));
      assertEquals("Applied", told(results.get(i + 1)));
    }
    Result.Failed<?> last = assertInstanceOf(Result.Failed.class, results.get(results.size() - 1));
    assertInstanceOf(InvalidChangeException.class, last.fault());
    assertTrue(read(text).get("n") instanceof String);
  }

  private static SourceEvent event() {
    return SourceEvent.of("Order", "1", 7);
  }
}
