package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonBinarySubType;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Binary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Native updates in one bulk")
final class NativeFoldTest {
  private static final int ENTITIES = 30;

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(collection);

  @BeforeEach
  void needsExpressions() {
    MessageId first = MessageId.of(UUID.randomUUID());
    assertTrue(store.update(first, MongoFixture.key(), creating()).isApplied());
    assertFalse(store.skip(first, MongoFixture.key()).isApplied()); // of which the store learns
  }

  /** Of a write that tracking has made. */
  private static final Binary REVISION = new Binary(BsonBinarySubType.UUID_STANDARD, new byte[16]);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MongoNativeUpdate creating() {
    return adds(0).createIfMissing();
  }

  private static MongoNativeUpdate adds(int amount) {
    return MongoNativeUpdate.of(
        Updates.combine(Updates.set("status", "S" + amount), Updates.inc("n", amount)));
  }

  private List<EntityKey> stored() {
    List<EntityKey> keys = new ArrayList<>();
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < ENTITIES; i++) {
      String id = "k" + UUID.randomUUID();
      keys.add(EntityKey.key(id));
      documents.add(new Document("_id", id).append("n", 0).append("_rev", REVISION));
    }
    collection.insertMany(documents);
    return keys;
  }

  private static Write<Document> event(EntityKey key, int position) {
    return Write.update(SourceEvent.of("A", "1", position), key, adds(position));
  }

  private static String word(Result<Document> result) {
    return result instanceof Result.Failed<Document> failed
        ? failed.fault().getClass().getSimpleName()
        : result.outcomeIfJudged().map(o -> o.getClass().getSimpleName()).orElse("HeldBack");
  }

  private int n(EntityKey key) {
    return store.find(key).orElseThrow().getInteger("n");
  }

  @Test
  @DisplayName("take one command where all are fresh, however many an entity gets")
  void oneCommand() {
    List<EntityKey> keys = stored();
    List<Write<Document>> writes = new ArrayList<>();
    for (int position = 1; position <= 3; position++) {
      for (EntityKey key : keys) {
        writes.add(event(key, position));
      }
    }
    List<String> sent =
        fixture.commands.names(
            () -> store.writeAll(writes).forEach(result -> assertEquals("Applied", word(result))));
    assertEquals(List.of("update"), sent);
    keys.forEach(key -> assertEquals(6, n(key)));
    assertEquals("S3", store.find(keys.get(0)).orElseThrow().getString("status"));
  }

  @Test
  @DisplayName("are told from duplicates, missing and new entities by two reads")
  void told() {
    List<EntityKey> keys = stored();
    keys.subList(0, 5)
        .forEach(
            key -> assertTrue(store.update(SourceEvent.of("A", "1", 1), key, adds(1)).isApplied()));
    List<Write<Document>> writes =
        new ArrayList<>(keys.stream().map(key -> event(key, 1)).toList());
    writes.add(event(MongoFixture.key(), 1));
    EntityKey created = MongoFixture.key();
    writes.add(Write.update(SourceEvent.of("A", "1", 1), created, adds(7).createIfMissing()));
    List<String> words = new ArrayList<>();
    List<String> sent =
        fixture.commands.names(
            () -> store.writeAll(writes).forEach(result -> words.add(word(result))));
    assertEquals(List.of("update", "find", "find"), sent);
    List<String> expected = new ArrayList<>(Collections.nCopies(5, "Duplicate"));
    expected.addAll(Collections.nCopies(ENTITIES - 5, "Applied"));
    expected.addAll(List.of("Missing", "Applied"));
    assertEquals(expected, words);
    keys.forEach(key -> assertEquals(1, n(key)));
    assertEquals(7, n(created));
  }

  @Test
  @DisplayName("are unknown where others write before it is seen who has matched")
  void overtaken() {
    List<EntityKey> keys = stored();
    assertTrue(store.update(SourceEvent.of("A", "1", 1), keys.get(0), adds(1)).isApplied());
    List<Write<Document>> writes = keys.stream().map(key -> event(key, 1)).toList();
    AtomicReference<@Nullable EntityKey> overtaken = new AtomicReference<>(keys.get(1));
    List<String> words = new ArrayList<>();
    List<String> sent =
        fixture.commands.names(
            () -> store.writeAll(writes).forEach(result -> words.add(word(result))),
            command -> {
              EntityKey key = command.equals("find") ? overtaken.getAndSet(null) : null;
              if (key != null) {
                assertTrue(store.update(SourceEvent.of("B", "1", 1), key, adds(0)).isApplied());
              }
            });
    assertEquals(List.of("update", "find", "find"), sent);
    assertEquals(
        List.of("OutcomeUnknownException", "OutcomeUnknownException", "Applied"),
        words.subList(0, 3));
    store.writeAll(writes).forEach(result -> assertEquals("Duplicate", word(result)));
    keys.forEach(key -> assertEquals(1, n(key)));
  }

  @Test
  @DisplayName("of one entity leave what they leave one by one, whatever the operators")
  void asOneByOne() {
    Random random = new Random(7);
    for (int example = 0; example < 150; example++) {
      List<MongoNativeUpdate> updates = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        updates.add(MongoNativeUpdate.of(operators(random)));
      }
      EntityKey folded = stored(random.nextInt(3));
      EntityKey alone = MongoFixture.key();
      Document document = collection.find(new Document("_id", folded.parts().get(0))).first();
      collection.insertOne(new Document(document).append("_id", alone.parts().get(0)));
      List<String> words =
          store.writeAll(writes(folded, updates)).stream().map(NativeFoldTest::word).toList();
      List<String> expected =
          Batch.oneByOne(store, writes(alone, updates)).stream().map(NativeFoldTest::word).toList();
      assertEquals(expected, words, updates::toString);
      assertEquals(fields(alone), fields(folded), updates::toString);
    }
  }

  private EntityKey stored(int kind) {
    String id = "k" + UUID.randomUUID();
    Document document = new Document("_id", id).append("_rev", REVISION);
    if (kind > 0) {
      document
          .append("a", kind == 1 ? Integer.MAX_VALUE - 1 : "text")
          .append("b", new Document("c", 1L))
          .append("l", List.of(1, 2));
    }
    collection.insertOne(document);
    return EntityKey.key(id);
  }

  private static List<Write<Document>> writes(EntityKey key, List<MongoNativeUpdate> updates) {
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < updates.size(); i++) {
      writes.add(Write.update(SourceEvent.of("A", "1", i + 1), key, updates.get(i)));
    }
    return writes;
  }

  private static Bson operators(Random random) {
    return switch (random.nextInt(9)) {
      case 0 -> Updates.inc("a", random.nextInt(5) - 1);
      case 1 -> Updates.inc("a", (long) random.nextInt(5));
      case 2 -> Updates.set("a", random.nextInt(5));
      case 3 -> Updates.unset("a");
      case 4 -> Updates.inc("b.c", random.nextInt(3));
      case 5 -> Updates.set("b.d", random.nextInt(3));
      case 6 -> Updates.push("l", random.nextInt(3));
      case 7 -> Updates.set("l.3", random.nextInt(3));
      default -> Updates.combine(Updates.inc("a", 2), Updates.set("b.c", random.nextInt(3)));
    };
  }

  private Document fields(EntityKey key) {
    Document document = collection.find(new Document("_id", key.parts().get(0))).first();
    Document fields = new Document();
    for (String name : List.of("a", "b", "l")) {
      Object value = document == null ? null : document.get(name);
      fields
          .append(name, value)
          .append(name + " is", value == null ? "" : value.getClass().getName());
    }
    return fields;
  }
}
