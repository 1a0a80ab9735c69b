package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.TooLargeException;
import dev.tidemark.Write;
import dev.tidemark.kernel.UnfitChangeException;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.bson.codecs.StringCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.codecs.pojo.annotations.BsonProperty;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("What MongoDB or the class cannot take is refused by name")
final class InputTest {
  private final MongoFixture fixture = new MongoFixture();
  private final EntityKey key = EntityKey.key("secret-" + UUID.randomUUID());

  /** A class that stores one property under another name. */
  public record Bill(
      @BsonId String id, @BsonProperty("st") @Nullable String status, @Nullable Long total) {}

  /** A class whose key is a number. */
  public record Counter(@BsonId long id, long total) {}

  /** A class that its mapper cannot make. */
  public static final class Closed {
    private final String id;

    /** There is no other constructor. */
    public Closed(String id) {
      this.id = id;
    }

    /** {@return the key} */
    public String getId() {
      return id;
    }
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private <T> MongoCollection<T> collection(Class<T> type) {
    return fixture
        .client
        .getDatabase("tests")
        .getCollection("i" + UUID.randomUUID(), type)
        .withCodecRegistry(
            CodecRegistries.fromRegistries(
                MongoClientSettings.getDefaultCodecRegistry(),
                CodecRegistries.fromProviders(
                    PojoCodecProvider.builder().automatic(true).build())));
  }

  private static void refused(
      Class<? extends RuntimeException> as, Executable use, String... said) {
    String message = String.valueOf(assertThrows(as, use).getMessage());
    for (String part : said) {
      assertTrue(message.contains(part), message);
    }
    assertFalse(message.contains("secret"), message);
  }

  private void refused(MongoEntityStore<Bill> bills, Change change, String... said) {
    Change creating = change.createIfMissing();
    refused(IllegalArgumentException.class, () -> bills.update(message(), key, creating), said);
    Result<Bill> result = bills.writeAll(List.of(Write.update(message(), key, creating))).get(0);
    assertTrue(result instanceof Result.Failed<Bill>, result::toString);
    assertTrue(bills.find(key).isEmpty(), "written");
  }

  @Test
  @DisplayName("a name that the class does not map is refused, and what it maps is said")
  void names() {
    MongoEntityStore<Bill> bills = MongoEntityStore.of(collection(Bill.class));
    refused(bills, change().set("stauts", "PAID"), "'stauts'", "Bill", "[_id, st, total]");
    refused(bills, change().set("status", "PAID"), "'status'", "stored as 'st'");
    refused(bills, change().remove("stauts"), "'stauts'");
    refused(bills, change().set("total", 1).onlyIf(attribute("status").exists()), "'status'");
    refused(
        bills,
        change().set("total", 1).onlyIf(attribute("totl").is(1).not().or(attribute("st").exists())),
        "'totl'");
    assertTrue(
        bills.update(message(), key, change().set("st", "PAID").createIfMissing()).isApplied());
  }

  @Test
  @DisplayName("a store that is told so, and one of documents, take any name")
  void unmapped() {
    Change change =
        change().set("expireAt", 5).createIfMissing().onlyIf(attribute("x").isMissing());
    MongoEntityStore<Bill> open =
        MongoEntityStore.builder(collection(Bill.class)).unmappedAttributes().build();
    assertTrue(open.update(message(), key, change).isApplied());
    MongoEntityStore<Document> documents = MongoEntityStore.of(fixture.documents());
    assertTrue(documents.update(message(), key, change).isApplied());
  }

  @Test
  @DisplayName("a condition on what tracking owns is refused, in a session too")
  void ownedByTracking() {
    for (Class<?> type : List.of(Bill.class, Document.class)) {
      MongoEntityStore<?> store = MongoEntityStore.of(collection(type));
      assertTrue(store.update(message(), key, change().createIfMissing()).isApplied());
      for (Path path : List.of(Path.of("messageIDs"), Path.of("events", "Order", "1"))) {
        Change change = change().onlyIf(attribute(path).exists().not());
        refused(UnfitChangeException.class, () -> store.update(message(), key, change), "tracking");
        try (ClientSession session = fixture.client.startSession()) {
          session.startTransaction();
          refused(
              UnfitChangeException.class,
              () -> store.in(session).update(message(), key, change),
              "tracking");
        }
      }
    }
  }

  @Test
  @DisplayName("a key of a type that the class cannot read is refused on every way")
  void keys() {
    MongoEntityStore<Bill> bills = MongoEntityStore.of(collection(Bill.class));
    for (Object value : List.of(5, new ObjectId(), UUID.randomUUID())) {
      EntityKey other = EntityKey.key(value);
      for (Executable use :
          List.<Executable>of(
              () -> bills.update(message(), other, change().createIfMissing()),
              () -> bills.apply(message(), other, bill -> bill),
              () -> bills.delete(message(), other),
              () -> bills.find(other))) {
        refused(IllegalArgumentException.class, use, "'_id' of Bill is a string");
      }
    }
    MongoEntityStore<Counter> counters = MongoEntityStore.of(collection(Counter.class));
    refused(
        IllegalArgumentException.class,
        () -> counters.find(EntityKey.key(new BigDecimal("1.5"))),
        "'_id' of Counter is a whole number");
    refused(
        IllegalArgumentException.class,
        () -> counters.find(EntityKey.key("5")),
        "'_id' of Counter");
  }

  @Test
  @DisplayName("a key that is stored as a double is the whole number that it equals")
  void doubles() {
    MongoCollection<Counter> collection = collection(Counter.class);
    collection
        .withDocumentClass(Document.class)
        .insertOne(new Document("_id", 5.0).append("total", 1L));
    MongoEntityStore<Counter> counters = MongoEntityStore.of(collection);
    EntityKey five = EntityKey.key(5);
    assertTrue(counters.update(message(), five, change().add("total", 1)).isApplied());
    assertTrue(
        counters
            .apply(message(), five, counter -> new Counter(counter.id(), counter.total() + 1))
            .isApplied());
    List<Write<Counter>> writes =
        List.of(
            Write.apply(
                message(), five, counter -> new Counter(counter.id(), counter.total() + 1)));
    assertTrue(counters.writeAll(writes).get(0).isDone());
    assertEquals(new Counter(5, 4), counters.find(five).orElseThrow());
    MongoEntityStore<Document> documents =
        MongoEntityStore.of(collection.withDocumentClass(Document.class));
    assertTrue(
        documents.apply(message(), five, document -> document.append("total", 5L)).isApplied());
    List<Write<Document>> more =
        List.of(Write.apply(message(), five, document -> document.append("total", 6L)));
    assertTrue(documents.writeAll(more).get(0).isDone());
    assertEquals(6L, documents.find(five).orElseThrow().getLong("total"));
  }

  @Test
  @DisplayName("a value without a form names the attribute; a document too large says how large")
  void values() {
    MongoEntityStore<Document> documents = MongoEntityStore.of(fixture.documents());
    refused(
        IllegalArgumentException.class,
        () -> documents.update(message(), key, change().set("x", new Thread("secret"))),
        "attribute 'x' is given a java.lang.Thread");
    refused(
        TooLargeException.class,
        () ->
            documents.update(
                message(), key, change().set("x", "x".repeat(17_000_000)).createIfMissing()),
        "16,777,216 bytes",
        "it would have 17");
  }

  @Test
  @DisplayName("a class that its codec cannot make is refused when the store is made")
  void codecs() {
    refused(
        IllegalArgumentException.class,
        () -> MongoEntityStore.of(collection(Closed.class)),
        "Closed",
        "constructor");
    MongoCollection<Counter> bare =
        collection(Counter.class).withCodecRegistry(CodecRegistries.fromCodecs(new StringCodec()));
    refused(IllegalArgumentException.class, () -> MongoEntityStore.of(bare), "Counter");
  }

  @Test
  @DisplayName("a store tells its collection, its class and its tracking")
  void shown() {
    MongoEntityStore<Bill> bills = MongoEntityStore.of(collection(Bill.class));
    String shown = bills.toString();
    assertTrue(shown.startsWith("MongoEntityStore[tests.i") && shown.contains(", Bill, "), shown);
  }
}
