package dev.tidemark.mongodb;

import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Path;
import dev.tidemark.Position;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import org.bson.BsonBinarySubType;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Guards of native updates")
final class NativeGuardsTest {
  private static final int MESSAGES = 60;

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoEntityStore<Document> store(Tracking tracking) {
    return MongoEntityStore.builder(documents).tracking(tracking).build();
  }

  @Test
  @DisplayName("are refused with a filter that MongoDB does not take where a refusal is read")
  void unread() {
    MongoEntityStore<Document> store = store(Tracking.defaults());
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1));
    for (String filter :
        List.of(
            "{$text: {$search: 'tea'}}",
            "{$or: [{n: 1}, {$where: 'false'}]}",
            "{place: {$near: [1, 1]}}",
            "{place: {$geoNear: [1, 1]}}",
            "{place: {$not: {$nearSphere: [1, 1]}}}")) {
      MongoNativeUpdate ruled = update.onlyIf(Document.parse(filter));
      List<String> sent =
          fixture.commands.names(
              () ->
                  assertThrows(
                      IllegalArgumentException.class,
                      () -> store.update(MessageId.of("m"), EntityKey.key(1), ruled),
                      filter));
      assertEquals(List.of(), sent, filter);
    }
  }

  @Test
  @DisplayName("count in digits that the server reads, whatever the locale's are")
  void locales() {
    documents.insertOne(new Document("_id", 1).append("v", new Document("t", "x".repeat(25_000))));
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      assertEquals(1, documents.countDocuments(Filters.guard(attribute("v.t").sizeBelow(25_001))));
      assertEquals(0, documents.countDocuments(Filters.guard(attribute("v.t").sizeBelow(25_000))));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  @DisplayName("ask for the kind of what a mark holds as expressions do")
  void kinds() {
    List.of(List.of("a"), List.of(1L), List.of(new Binary(new byte[] {1})))
        .forEach(ids -> documents.insertOne(new Document("messageIDs", ids)));
    documents.insertOne(new Document());
    Conditions conditions =
        Conditions.ofAnyForm(MongoEntityStore.builder(documents).context(), MessageId.of("m"));
    for (Condition.Kind kind : Condition.Kind.values()) {
      Path path = Path.of("messageIDs");
      Condition other = new Condition.Test(path, Condition.Operator.OF_KIND, kind).not();
      BsonDocument expression = new BsonDocument("$expr", conditions.render(other));
      assertEquals(
          documents.countDocuments(Filters.guard(other)),
          documents.countDocuments(expression),
          () -> "none of " + kind);
    }
  }

  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(4),
          EventPolicy.denseWindow(4).givingUpHoles(),
          EventPolicy.sparseWindow(4));

  @Test
  @DisplayName("judge as those of portable changes do, and leave the same marks")
  void sameAsPortable() {
    Random random = new Random(17);
    for (EventPolicy policy : POLICIES) {
      for (boolean returning : new boolean[] {false, true}) {
        for (boolean creating : new boolean[] {false, true}) {
          compare(policy, returning, creating, random);
        }
      }
    }
  }

  private void compare(EventPolicy policy, boolean returning, boolean creating, Random random) {
    MongoEntityStore<Document> store = store(Tracking.defaults().events(policy).maxSources(4));
    EntityKey portable = MongoFixture.key();
    EntityKey natively = MongoFixture.key();
    Change change = Change.change().add("n", 1L);
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1L));
    if (creating) {
      change = change.createIfMissing();
      update = update.createIfMissing();
    } else {
      MessageId first = MessageId.of("first");
      assertTrue(store.update(first, portable, change.createIfMissing()).isApplied());
      assertTrue(store.update(first, natively, change.createIfMissing()).isApplied());
    }
    Change asked = returning ? change.returning() : change;
    MongoNativeUpdate askedNatively = returning ? update.returning() : update;
    for (int i = 0; i < MESSAGES; i++) {
      Message message = message(random, i);
      String expected = told(() -> store.update(message, portable, asked));
      String told = told(() -> store.update(message, natively, askedNatively));
      assertEquals(expected, told, policy + ", " + i + ": " + message);
    }
    assertEquals(stored(portable), stored(natively));
  }

  private static Message message(Random random, int i) {
    if (random.nextInt(8) == 0) {
      return MessageId.of("m" + random.nextInt(10));
    }
    long generation = random.nextInt(20) == 0 ? 1 : 0;
    int source = random.nextInt(6);
    Source of = Source.of("Order", "" + (source == 5 ? 4711 : source % 3));
    long position = 1L + i / 8 + random.nextInt(6);
    return SourceEvent.of(of.generation(generation), Position.of(position));
  }

  private interface Call {
    Outcome<Document> run();
  }

  private static String told(Call call) {
    try {
      Outcome<Document> outcome = call.run();
      Object mark =
          outcome instanceof Outcome.Applied<Document> applied
              ? applied.created() + " " + applied.mark()
              : "";
      Object n = outcome.entity().map(entity -> entity.get("n")).orElse("");
      return outcome.getClass().getSimpleName() + " " + mark + " " + n;
    } catch (TooLargeException | CorruptRecordException e) {
      return e.getClass().getSimpleName();
    }
  }

  private Document stored(EntityKey key) {
    Document document =
        Objects.requireNonNull(documents.find(new Document("_id", key.parts().get(0))).first());
    List.of("_id", "_rev", "_born", "messageIDs#since", "events#full").forEach(document::remove);
    return document;
  }

  @Test
  @DisplayName("the bound of sources holds, and a source that is known goes on")
  void sources() {
    for (int bound = 1; bound <= 3; bound++) {
      MongoEntityStore<Document> store = store(Tracking.defaults().maxSources(bound));
      EntityKey key = MongoFixture.key();
      MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1L)).createIfMissing();
      for (int source = 1; source <= bound; source++) {
        SourceEvent event = SourceEvent.of("S" + source, "1", 1);
        assertTrue(store.update(event, key, update).isApplied());
      }
      SourceEvent further = SourceEvent.of("S", "9", 1);
      assertThrows(TooLargeException.class, () -> store.update(further, key, update));
      assertTrue(store.update(SourceEvent.of("S1", "1", 2), key, update).isApplied());
    }
  }

  @Test
  @DisplayName(
      "the bound of sources holds in batches, whose replies do not tell how many there are")
  void sourcesInBatches() {
    for (int bound = 1; bound <= 3; bound++) {
      MongoEntityStore<Document> store = store(Tracking.defaults().maxSources(bound));
      List<EntityKey> keys = List.of(MongoFixture.key(), MongoFixture.key());
      for (int source = 1; source <= bound; source++) {
        assertTrue(both(store, keys, source).stream().allMatch(Result::isDone));
      }
      for (Result<Document> result : both(store, keys, bound + 1)) {
        assertInstanceOf(
            TooLargeException.class, assertInstanceOf(Result.Failed.class, result).fault());
      }
    }
  }

  private static List<Result<Document>> both(
      MongoEntityStore<Document> store, List<EntityKey> keys, int source) {
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1L)).createIfMissing();
    SourceEvent event = SourceEvent.of("S", "" + source, 1);
    return store.writeAll(
        keys.stream().map(key -> Write.<Document>update(event, key, update)).toList());
  }

  @Test
  @DisplayName("who brings the last source leaves word of it, so that the next writer counts")
  void lastSource() {
    MongoEntityStore<Document> store = store(Tracking.defaults().maxSources(3));
    EntityKey key = MongoFixture.key();
    assertTrue(store.update(MessageId.of("m"), key, Change.change().createIfMissing()).isApplied());
    MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1L));
    for (int source = 1; source <= 3; source++) {
      assertTrue(store.update(SourceEvent.of("S", "" + source, 1), key, update).isApplied());
    }
    SourceEvent further = SourceEvent.of("S", "4", 1);
    assertThrows(
        TooLargeException.class, () -> store.update(further, key, Change.change().add("n", 1L)));
  }

  @Test
  @DisplayName("marks that cannot be read are CorruptRecordException, and nothing is written")
  void corrupt() {
    MongoEntityStore<Document> store = store(Tracking.defaults());
    List<Object> wrong =
        List.of(
            3,
            List.of(),
            List.of(new Document("Order", new Document("1", 1L))),
            new Document("Order", 3),
            new Document("Order", List.of(1L, 2L)),
            new Document("Order", List.of(new Document("1", 1L))),
            new Document("Order", new Document("1", "text")),
            new Document("Order", new Document("1", List.of(1L))));
    for (int known = 0; known < 2; known++) { // the server is known to the second round
      for (Object events : wrong) {
        EntityKey key = MongoFixture.key();
        Document document = new Document("_id", key.parts().get(0)).append("n", 0L);
        if (known == 1) {
          document.append("_rev", new Binary(BsonBinarySubType.UUID_STANDARD, new byte[16]));
        }
        documents.insertOne(document.append("events", events));
        assertThrows(
            CorruptRecordException.class,
            () -> store.update(SourceEvent.of("Order", "1", 7), key, Updates.inc("n", 1L)),
            () -> "natively, over " + events);
        assertThrows(
            CorruptRecordException.class,
            () -> store.update(SourceEvent.of("Order", "1", 7), key, Change.change().add("n", 1L)),
            () -> "portably, over " + events);
        assertEquals(document, documents.find(new Document("_id", key.parts().get(0))).first());
      }
    }
  }
}
