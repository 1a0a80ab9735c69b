package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import java.util.Optional;
import java.util.UUID;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What the server refuses for good is a fault that says what to change, and no value")
final class ServerFaultsTest {
  private static final String SECRET = "s3cr3t";

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(collection);
  private final EntityKey key = EntityKey.key(SECRET + UUID.randomUUID());

  @AfterEach
  void close() {
    collection.drop();
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private void create() {
    Change change =
        change().set("email", SECRET).set("list", java.util.List.of(SECRET)).createIfMissing();
    assertTrue(store.update(id(), key, change).isApplied());
  }

  private void assertInvalid(Executable call, String... said) {
    InvalidChangeException fault = assertThrows(InvalidChangeException.class, call);
    assertTrue(fault.key().isPresent());
    assertFalse(fault.isRetryable());
    for (Throwable t = fault; t != null; t = t.getCause()) {
      assertFalse(t.toString().contains(SECRET), t::toString);
    }
    for (String part : said) {
      assertTrue(String.valueOf(fault.getMessage()).contains(part), fault::getMessage);
    }
  }

  private void assertInvalid(Bson operators, String... said) {
    assertInvalid(() -> store.update(id(), key, operators), said);
  }

  @Test
  @DisplayName("operators that do not fit what is stored, by an image too")
  void operators() {
    create();
    assertInvalid(Updates.inc("email", 1), "type", "error 14");
    assertInvalid(Updates.push("email", SECRET), "type", "error 2");
    assertInvalid(Updates.set("email.part", SECRET), "parent", "error 28");
    assertInvalid(Updates.inc("list", SECRET.length()), "type");
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("email", 1)).returning();
    assertInvalid(() -> store.update(id(), key, update), "error 14");
    assertTrue(store.update(id(), key, Updates.set("email", "other")).isApplied());
  }

  @Test
  @DisplayName("an error without a code is the driver's, once the server has taken a pipeline")
  void withoutCode() {
    try (Proxied server = Proxied.open()) {
      MongoProxy proxy = server.proxy();
      MongoEntityStore<Document> behind = MongoEntityStore.of(server.collection(collection));
      Change count = change().add("n", 1L).createIfMissing();
      assertTrue(behind.update(id(), key, count).isApplied());
      proxy.refuse(1, -1);
      MessageId message = id();
      assertThrows(MongoCommandException.class, () -> behind.update(message, key, count));
      assertTrue(behind.update(message, key, count).isApplied());
    }
  }

  @ParameterizedTest(name = "error {0}")
  @ValueSource(ints = {-1, 168})
  @DisplayName("a server that takes no pipelines, at the first call")
  void withoutPipelines(int code) {
    try (Proxied server = Proxied.open()) {
      MongoEntityStore<Document> behind =
          MongoEntityStore.builder(server.collection(collection)).assumePlainCollection().build();
      server.proxy().refuse(1, code); // which imitations answer
      Change count = change().add("n", 1L).createIfMissing();
      assertSaysWhatIsNeeded(() -> behind.update(id(), key, count));
    }
  }

  @Test
  @DisplayName("or when the store is made, if the collection is there")
  void withoutExpressions() {
    create();
    Document failure =
        new Document("failCommands", java.util.List.of("aggregate"))
            .append("errorCode", 168)
            .append("appName", "imitation");
    Document point = new Document("configureFailPoint", "failCommand");
    Document on = new Document("skip", 1); // the kind of the collection
    MongoDatabase admin = fixture.client.getDatabase("admin");
    admin.runCommand(new Document(point).append("mode", on).append("data", failure));
    try (MongoClient client = MongoClients.create(MongoServers.uri() + "&appName=imitation")) {
      MongoCollection<Document> same =
          client.getDatabase("tests").getCollection(collection.getNamespace().getCollectionName());
      assertSaysWhatIsNeeded(() -> MongoEntityStore.of(same));
    } finally {
      admin.runCommand(point.append("mode", "off"));
    }
  }

  private static void assertSaysWhatIsNeeded(Executable call) {
    IllegalStateException fault = assertThrows(IllegalStateException.class, call);
    assertTrue(String.valueOf(fault.getMessage()).contains("pipelines"), fault::getMessage);
    assertInstanceOf(MongoCommandException.class, fault.getCause());
  }

  @Test
  @DisplayName("a unique index is named, by changes, operators and functions")
  void uniqueIndex() {
    collection.createIndex(Indexes.ascending("email"), new IndexOptions().unique(true));
    create();
    EntityKey other = EntityKey.key(SECRET + UUID.randomUUID());
    Change taken = change().set("email", SECRET).createIfMissing();
    assertInvalid(() -> store.update(id(), other, taken), "email", "live()");
    assertInvalid(
        () ->
            store.update(
                id(), other, MongoNativeUpdate.of(Updates.set("email", SECRET)).createIfMissing()),
        "email",
        "live()");
    assertInvalid(
        () -> store.apply(id(), other, Document::new, d -> d.append("email", SECRET)), "email");
    assertEquals(Optional.empty(), store.find(other));
    assertTrue(
        store.update(id(), other, change().set("email", "free").createIfMissing()).isApplied());
    assertInvalid(() -> store.update(id(), other, Updates.set("email", SECRET)), "email");
    assertTrue(store.delete(id(), key).isApplied());
    assertInvalid(() -> store.delete(id(), other), "email", "live()"); // both would have none
  }

  @Test
  @DisplayName("a validator that does not allow tombstones is named where one is deleted")
  void validator() {
    fixture
        .client
        .getDatabase("tests")
        .createCollection(
            collection.getNamespace().getCollectionName(),
            new com.mongodb.client.model.CreateCollectionOptions()
                .validationOptions(
                    new com.mongodb.client.model.ValidationOptions()
                        .validator(Filters.exists("email"))));
    create();
    assertInvalid(() -> store.delete(id(), key), "validator", "expiry", "error 121");
    assertInvalid(() -> store.update(id(), key, change().remove("email")), "validator");
    assertInvalid(() -> store.update(id(), key, Updates.unset("email")), "validator");
    assertEquals(SECRET, store.find(key).orElseThrow().getString("email"));
  }
}
