package dev.tidemark.mongodb;

import static com.mongodb.client.model.Filters.eq;
import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a class fills in where the stored document has no value")
final class FilledInTest {
  private static final CodecRegistry BEANS =
      CodecRegistries.fromRegistries(
          MongoClientSettings.getDefaultCodecRegistry(),
          CodecRegistries.fromProviders(PojoCodecProvider.builder().automatic(true).build()));

  private final MongoFixture fixture = new MongoFixture();
  private final EntityKey key = key("row-" + UUID.randomUUID());
  private final MongoEntityStore<Row> store =
      MongoEntityStore.of(
          fixture
              .client
              .getDatabase("tests")
              .withCodecRegistry(BEANS)
              .getCollection("filledIn", Row.class));

  /** A part with a generated value. */
  public static final class Part {
    public @Nullable String name;
    public String code = UUID.randomUUID().toString();
  }

  /** A class with a generated value, and with values that are the same each time. */
  public static final class Row {
    @BsonId public @Nullable String id;
    public long total;
    public String label = UUID.randomUUID().toString();
    public long seen = System.currentTimeMillis();
    public List<String> tags = new ArrayList<>();
    public @Nullable String state = "OPEN";
    public @Nullable Part part;

    String text() {
      return total + label + seen + tags + (part == null ? "" : part.name + part.code);
    }
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Row applied(Outcome<Row> outcome) {
    assertInstanceOf(Outcome.Applied.class, outcome);
    return outcome.entity().orElseGet(Row::new);
  }

  private static Row raised(Row row) {
    row.total++;
    return row;
  }

  private static Row without(Row row) {
    row.part = null;
    return row;
  }

  private Row find() {
    return store.find(key).orElseThrow();
  }

  @Test
  @DisplayName("is stored with what a function leaves, so that a read finds what the outcome shows")
  void stored() {
    applied(store.update(message(), key, change().set("total", 1).createIfMissing()));
    Row shown = applied(store.apply(message(), key, FilledInTest::raised));
    assertEquals(2, shown.total);
    assertEquals(shown.text(), find().text());
  }

  @Test
  @DisplayName("is stored by a function that changes nothing, once")
  void storedAlone() {
    applied(store.update(message(), key, change().set("total", 1).createIfMissing()));
    Row shown = applied(store.apply(message(), key, row -> row));
    assertEquals(shown.text(), find().text());
    assertInstanceOf(Outcome.Recorded.class, store.apply(message(), key, row -> row));
    assertEquals(shown.text(), find().text());
  }

  @Test
  @DisplayName("is stored where it is the time, which two readings may share")
  void times() {
    for (int i = 0; i < 20; i++) {
      EntityKey other = key("timed-" + UUID.randomUUID());
      applied(store.update(message(), other, change().set("total", 1).createIfMissing()));
      Row row = applied(store.apply(message(), other, FilledInTest::raised));
      Document stored =
          fixture.client.getDatabase("tests").getCollection("filledIn").find(eq(row.id)).first();
      assertEquals(row.seen, stored == null ? null : stored.get("seen"));
    }
  }

  @Test
  @DisplayName("is stored inside a part that is there, and goes with a part that a function drops")
  void inParts() {
    Change part = change().set("part.name", "a").createParents().createIfMissing();
    applied(store.update(message(), key, part));
    Row shown = applied(store.apply(message(), key, FilledInTest::raised));
    assertEquals(shown.text(), find().text());
    EntityKey other = key("other-" + UUID.randomUUID());
    applied(store.update(message(), other, part));
    applied(store.apply(message(), other, FilledInTest::without));
    assertNull(store.find(other).orElseThrow().part);
  }

  @Test
  @DisplayName("stays unstored in a part that has more than the class maps, which is kept")
  void besideOthers() {
    MongoCollection<Document> rows = fixture.client.getDatabase("tests").getCollection("filledIn");
    Document part = new Document("name", "a").append("codeOfNewer", "USD");
    for (Document stored : List.of(part, new Document("newer", part))) {
      String id = "other-" + UUID.randomUUID();
      rows.insertOne(new Document("_id", id).append("part", stored));
      applied(store.apply(message(), key(id), FilledInTest::raised));
      Document row = rows.find(new Document("_id", id)).first();
      assertEquals(stored, row == null ? null : row.get("part"));
    }
  }

  @Test
  @DisplayName("stays unstored where it is the same at each read, as what a function has cleared")
  void cleared() {
    applied(store.update(message(), key, change().set("total", 1).createIfMissing()));
    applied(store.apply(message(), key, FilledInTest::raised));
    applied(store.apply(message(), key, FilledInTest::closed));
    assertInstanceOf(Outcome.Recorded.class, store.apply(message(), key, row -> row));
    assertInstanceOf(
        Outcome.Refused.class,
        store.update(message(), key, change().add("total", 1).onlyIf(attribute("state").exists())));
  }

  private static Row closed(Row row) {
    row.state = null;
    return row;
  }

  @Test
  @DisplayName("is the same for all functions of a batch")
  void batch() {
    applied(store.update(message(), key, change().set("total", 1).createIfMissing()));
    List<Row> shown =
        store
            .writeAll(
                List.of(
                    Write.apply(message(), key, row -> row),
                    Write.apply(message(), key, FilledInTest::raised)))
            .stream()
            .map(result -> result.outcomeIfJudged().orElseThrow().entity().orElseThrow())
            .toList();
    assertEquals(List.of(1L, 2L), shown.stream().map(row -> row.total).toList());
    assertEquals(shown.get(0).label, shown.get(1).label);
    assertEquals(shown.get(1).text(), find().text());
  }
}
