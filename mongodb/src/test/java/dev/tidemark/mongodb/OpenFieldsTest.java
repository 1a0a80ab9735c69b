package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.marks.Marks;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonExtraElements;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("An entity whose fields are open does not write what tracking owns")
final class OpenFieldsTest {
  private static final List<String> NAMES =
      List.of(
          "_rev", "_born", "messageIDs", "messageIDs@search", "events", "deletedUntil", "_outbox");

  /** A class that keeps what it does not know, with its marks. */
  public static final class Open {
    @BsonId public @Nullable String id;
    @BsonExtraElements public Document others = new Document();
    public @Nullable Marks marks;

    Open with(String name) {
      others.append(name, "mine");
      return this;
    }
  }

  /** The same without its marks. */
  public static final class Bare {
    @BsonId public @Nullable String id;
    @BsonExtraElements public Document others = new Document();

    Bare with(String name) {
      others.append(name, "mine");
      return this;
    }
  }

  private final MongoFixture fixture = new MongoFixture();
  private final String name = "open" + UUID.randomUUID();
  private final EntityKey key = MongoFixture.key();
  private final MongoCollection<Document> raw =
      fixture.client.getDatabase("tests").getCollection(name);

  @AfterEach
  void close() {
    fixture.close();
  }

  private <E> MongoCollection<E> collection(Class<E> type) {
    return fixture
        .client
        .getDatabase("tests")
        .getCollection(name, type)
        .withCodecRegistry(
            CodecRegistries.fromRegistries(
                CodecRegistries.fromProviders(MongoMarksCodec.provider(Tracking.defaults())),
                MongoClientSettings.getDefaultCodecRegistry(),
                CodecRegistries.fromProviders(
                    PojoCodecProvider.builder().automatic(true).build())));
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private void assertUntouched(String field, Executable write) {
    List<Document> before = raw.find().into(new java.util.ArrayList<>());
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, write);
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.contains("'" + field + "'") && said.contains("racking"), said);
    assertEquals(before, raw.find().into(new java.util.ArrayList<>()));
  }

  private <E> void functions(
      Class<E> type, Supplier<E> empty, BiFunction<E, String, E> with, String field) {
    MongoEntityStore<E> store = MongoEntityStore.of(collection(type));
    EntityKey other = MongoFixture.key();
    assertUntouched(field, () -> store.apply(message(), other, empty, e -> with.apply(e, field)));
    assertUntouched(
        field, () -> store.apply(message(), other, () -> with.apply(empty.get(), field), e -> e));
    assertTrue(store.apply(message(), key, empty, e -> with.apply(e, "free")).isApplied());
    assertUntouched(field, () -> store.apply(message(), key, e -> with.apply(e, field)));
    assertUntouched(
        field,
        () -> store.write(Write.decide(message(), key, e -> Decision.to(with.apply(e, field)))));
    List<Result<E>> results =
        store.writeAll(
            List.of(
                Write.apply(message(), key, e -> with.apply(e, field)),
                Write.apply(message(), key, e -> with.apply(e, "more"))));
    Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, results.get(0));
    assertInstanceOf(IllegalArgumentException.class, failed.fault());
    assertTrue(results.get(1).isDone(), results::toString);
    raw.drop();
  }

  @Test
  @DisplayName("by a function, of documents and of classes that keep what they do not know")
  void functions() {
    for (String field : NAMES) {
      functions(Document.class, Document::new, (d, n) -> d.append(n, "mine"), field);
      functions(
          BsonDocument.class,
          BsonDocument::new,
          (d, n) -> d.append(n, new BsonString("mine")),
          field);
      functions(Bare.class, Bare::new, Bare::with, field);
      functions(Open.class, Open::new, Open::with, field);
    }
  }

  @Test
  @DisplayName("by a change, whichever way it names it")
  void changes() {
    MongoEntityStore<Document> store = MongoEntityStore.of(raw);
    store.update(message(), key, change().set("n", 1).createIfMissing());
    for (String field : NAMES) {
      Path path = new Path(List.of(field));
      assertUntouched(field, () -> store.update(message(), key, change().set(path, "x")));
      assertUntouched(field, () -> store.update(message(), key, change().setIfAbsent(path, "x")));
      assertUntouched(field, () -> store.update(message(), key, change().remove(path)));
      assertUntouched(field, () -> store.update(message(), key, change().add(path, 1)));
      assertUntouched(field, () -> store.update(message(), key, change().addToSet(path, "x")));
      assertUntouched(field, () -> store.update(message(), key, change().append(path, "x")));
    }
  }

  @Test
  @DisplayName("by operators, whichever field they name")
  void natives() {
    MongoEntityStore<Document> store = MongoEntityStore.of(raw);
    store.update(message(), key, change().set("n", 1).createIfMissing());
    for (String field : NAMES) {
      for (Bson update :
          List.of(
              Updates.set(field, "x"),
              Updates.set(field + ".x", "x"),
              Updates.unset(field),
              Updates.rename("n", field),
              Updates.rename(field, "n"),
              Updates.setOnInsert(field, 1),
              Updates.push(field, "x"),
              Updates.currentDate(field),
              new BsonDocument("$set", new BsonDocument(field + ".0", new BsonInt32(1))))) {
        assertUntouched(field, () -> store.update(message(), key, update));
      }
    }
  }

  @Test
  @DisplayName("by the codec of entities that carry their marks")
  void codec() {
    MongoCollection<Open> collection = collection(Open.class);
    for (String field : NAMES) {
      Open open = new Open();
      open.id = UUID.randomUUID().toString();
      open.marks = Marks.none();
      assertUntouched(field, () -> collection.insertOne(open.with(field)));
    }
  }
}
