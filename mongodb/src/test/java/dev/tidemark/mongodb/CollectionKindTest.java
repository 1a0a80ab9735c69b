package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.ClusteredIndexOptions;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationAlternate;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.TimeSeriesOptions;
import dev.tidemark.Change;
import dev.tidemark.MessageId;
import dev.tidemark.execution.Executions;
import dev.tidemark.intake.Intake;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("A store is made on a plain collection, or not at all")
final class CollectionKindTest {
  private final MongoFixture fixture = new MongoFixture();
  private final MongoDatabase database =
      fixture.client.getDatabase("kinds" + System.nanoTime() % 1_000_000_000);

  @AfterEach
  void close() {
    database.drop();
    fixture.close();
  }

  private MongoCollection<Document> created(CreateCollectionOptions options) {
    String name = "c" + UUID.randomUUID();
    database.createCollection(name, options);
    return database.getCollection(name);
  }

  private void assertRefused(MongoCollection<Document> collection, String... said) {
    IllegalArgumentException fault =
        assertThrows(IllegalArgumentException.class, () -> MongoEntityStore.of(collection));
    String text = String.valueOf(fault.getMessage());
    assertTrue(text.contains(collection.getNamespace().getFullName()), text);
    for (String part : said) {
      assertTrue(text.contains(part), text);
    }
  }

  @Test
  @DisplayName("a default collation is refused by locale and strength: ids would be equal under it")
  void collation() {
    Collation.Builder english = Collation.builder().locale("en");
    assertRefused(collated(english.collationStrength(CollationStrength.PRIMARY)), "'en'", "1");
    assertRefused(collated(english.collationStrength(CollationStrength.SECONDARY)), "'en'", "2");
    assertRefused(
        collated(Collation.builder().locale("en").collationAlternate(CollationAlternate.SHIFTED)),
        "'en'");
    assertRefused(collated(Collation.builder().locale("de").numericOrdering(true)), "'de'", "3");
    assertRefused(collated(Collation.builder().locale("fr")), "'fr'");
    String clustered = "c" + UUID.randomUUID();
    database.createCollection(
        clustered,
        new CreateCollectionOptions()
            .clusteredIndexOptions(new ClusteredIndexOptions(new Document("_id", 1), true))
            .collation(Collation.builder().locale("fr").build()));
    assertRefused(database.getCollection(clustered), "'fr'");
  }

  private MongoCollection<Document> collated(Collation.Builder collation) {
    return created(new CreateCollectionOptions().collation(collation.build()));
  }

  @Test
  @DisplayName("capped collections, time series and views are refused by name")
  void kinds() {
    assertRefused(created(new CreateCollectionOptions().capped(true).sizeInBytes(9_999)), "capped");
    assertRefused(
        created(new CreateCollectionOptions().timeSeriesOptions(new TimeSeriesOptions("at"))),
        "time series");
    String behind = created(new CreateCollectionOptions()).getNamespace().getCollectionName();
    database.createView("v", behind, List.of(Aggregates.match(Filters.eq("x", 1))));
    assertRefused(database.getCollection("v"), "view");
  }

  @Test
  @DisplayName(
      "plain collections pass by three commands, new ones and those with other indexes too")
  void plain() {
    MongoCollection<Document> plain = created(new CreateCollectionOptions());
    plain.createIndex(
        new Document("name", 1),
        new com.mongodb.client.model.IndexOptions()
            .collation(Collation.builder().locale("en").build()));
    List<String> sent = fixture.commands.names(() -> MongoEntityStore.of(plain).tracking());
    assertEquals(List.of("listIndexes", "aggregate", "aggregate"), sent);
    MongoEntityStore<Document> store = MongoEntityStore.of(database.getCollection("absent"));
    Change change = Change.change().set("a", 1).createIfMissing();
    assertTrue(store.update(MessageId.of("m"), MongoFixture.key(), change).isApplied());
    assertTrue(MongoEntityStore.of(database.getCollection("absent")).tracking() != null);
    assertTrue(MongoEntityStore.of(created(new CreateCollectionOptions())).tracking() != null);
  }

  @Test
  @DisplayName("records are not kept in another one, and nothing is done by them")
  void records() {
    Collation.Builder english = Collation.builder().locale("en");
    assertUnused(collated(english.collationStrength(CollationStrength.SECONDARY)), "'en'");
    assertUnused(created(new CreateCollectionOptions().capped(true).sizeInBytes(9_999)), "capped");
    String behind = created(new CreateCollectionOptions()).getNamespace().getCollectionName();
    database.createView("v", behind, List.of(Aggregates.match(Filters.eq("x", 1))));
    assertUnused(database.getCollection("v"), "view");
  }

  private void assertUnused(MongoCollection<Document> collection, String said) {
    String name = collection.getNamespace().getCollectionName();
    List<String> done = new ArrayList<>();
    Executions keys = Executions.of("s", MongoRecordStore.of(collection));
    MongoInbox inbox = MongoInbox.of(fixture.client, database, name, "billing");
    StreamRecord place = new StreamRecord(collection, "shop.orders", "n");
    MongoDeadLetters letters = MongoDeadLetters.of(collection, "n");
    MongoCollection<Document> source = database.getCollection("source");
    Intake<StreamedChange> intake =
        ChangeStreamIntake.builder(
                StreamScene::delivery,
                deliveries -> {
                  throw new AssertionError();
                })
            .build();
    for (Executable use :
        List.<Executable>of(
            () -> keys.run("k", null, String.class, steps -> done.add("charged") + ""),
            () -> inbox.handle(MessageId.of("m"), all -> done.add("handled")),
            () -> MongoRecordStore.createIndexes(collection),
            () -> MongoInbox.createIndex(database, name),
            place::read,
            () -> letters.redrive(source, intake),
            () -> MongoOutboxStream.Tokens.in(collection, "relay").read())) {
      IllegalStateException fault = assertThrows(IllegalStateException.class, use);
      String text = String.valueOf(fault.getMessage());
      assertTrue(text.contains(collection.getNamespace().getFullName()), text);
      assertTrue(text.contains(said), text);
    }
    assertEquals(List.of(), done);
  }

  @Test
  @DisplayName("of records it is asked once, and taken for plain where the server does not tell")
  void asked() {
    MongoCollection<Document> plain = created(new CreateCollectionOptions());
    MongoRecordStore records = MongoRecordStore.of(plain);
    assertEquals(
        List.of("listIndexes", "aggregate", "find", "find"),
        fixture.commands.names(
            () -> {
              assertTrue(records.read("k").isEmpty());
              assertTrue(records.read("k").isEmpty());
            }));
    refuseToTell();
    assertTrue(MongoRecordStore.of(plain).read("k").isEmpty());
  }

  @Test
  @DisplayName("the caller's word saves the commands")
  void assumed() {
    MongoCollection<Document> any = collated(Collation.builder().locale("fr"));
    List<String> sent =
        fixture.commands.names(
            () -> MongoEntityStore.builder(any).assumePlainCollection().build().tracking());
    assertEquals(List.of(), sent);
  }

  @Test
  @DisplayName("a user who may not ask is told what to allow, or to say")
  void unauthorized() {
    MongoCollection<Document> plain = created(new CreateCollectionOptions());
    refuseToTell();
    assertRefused(plain, "error 13", "listIndexes", "collStats", "assumePlainCollection()");
  }

  private void refuseToTell() {
    Document refusal =
        Document.parse(
            "{configureFailPoint: 'failCommand', mode: {times: 1},"
                + " data: {failCommands: ['listIndexes'], errorCode: 13}}");
    fixture.client.getDatabase("admin").runCommand(refusal);
  }
}
