package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("A batch in a session of the caller's")
final class BatchInSessionTest {
  private static final Change FITS = change().set("status", "PAID");

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();
  private final MongoEntityStore<Document> store = store(Tracking.defaults());

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoEntityStore<Document> store(Tracking tracking) {
    return MongoEntityStore.builder(documents).tracking(tracking).build();
  }

  private List<Result<Document>> committed(
      MongoEntityStore<Document> store, List<Write<Document>> writes) {
    try (ClientSession session = fixture.client.startSession()) {
      session.startTransaction();
      List<Result<Document>> results = store.in(session).writeAll(writes);
      session.commitTransaction();
      return results;
    }
  }

  private static List<String> told(List<Result<Document>> results) {
    return results.stream()
        .map(
            result ->
                result instanceof Result.Failed<Document> failed
                    ? failed.fault().getClass().getSimpleName()
                    : result.outcomeIfJudged().orElseThrow().getClass().getSimpleName())
        .toList();
  }

  private Document stored(EntityKey key) {
    Document document =
        Objects.requireNonNull(documents.find(new Document("_id", key.parts().get(0))).first());
    List.of("_id", "_rev", "_born", "messageIDs#since").forEach(document::remove);
    return document;
  }

  private static List<Write<Document>> writes(EntityKey key, List<? extends EntityUpdate> updates) {
    List<Write<Document>> writes = new ArrayList<>();
    for (EntityUpdate update : updates) {
      writes.add(Write.update(MessageId.of("m" + writes.size()), key, update));
    }
    return writes;
  }

  @Test
  @DisplayName("comes to what it comes to outside, also where the server would refuse a change")
  void sameAsOutside() {
    Change sum = change().add("total", new BigDecimal("0.2"));
    Change below = change().add("byDay.monday", 1);
    Change text = change().add("name", 1);
    Change ruledOut = change().add("total", 1).onlyIf(attribute("status").is("NEW"));
    Change skips = ruledOut.otherwiseSkip();
    Change nested = change().add("parts.first", 1);
    Change returning = change().add("total", 1).returning();
    for (List<Change> updates :
        List.of(
            List.of(FITS, sum),
            List.of(sum, sum),
            List.of(FITS, below),
            List.of(below, FITS),
            List.of(FITS, text, sum),
            List.of(text, below),
            List.of(FITS, ruledOut),
            List.of(ruledOut, ruledOut, FITS),
            List.of(FITS, skips, sum),
            List.of(nested, below, nested),
            List.of(returning, below, returning))) {
      EntityKey in = MongoFixture.key();
      EntityKey out = MongoFixture.key();
      for (EntityKey key : List.of(in, out)) {
        Change first = change().createIfMissing().set("total", 0.1).set("name", "x");
        Change parts = first.set("parts", Map.of("first", 1));
        assertTrue(store.update(MessageId.of("before"), key, parts).isApplied());
      }
      List<Result<Document>> inside = committed(store, writes(in, updates));
      List<Result<Document>> outside = store.writeAll(writes(out, updates));
      assertEquals(told(outside), told(inside), updates::toString);
      assertEquals(stored(out), stored(in), updates::toString);
    }
  }

  @Test
  @DisplayName("fails by the one record that cannot be judged, and names it")
  void corrupt() {
    for (Document fault : List.of(new Document("events", 1), new Document("_rev", 1))) {
      List<EntityKey> keys =
          List.of(MongoFixture.key(), MongoFixture.key(), MongoFixture.key(), MongoFixture.key());
      EntityKey broken = keys.get(1);
      documents.insertOne(new Document(fault).append("_id", broken.parts().get(0)));
      List<Write<Document>> writes = new ArrayList<>();
      for (EntityKey key : keys) {
        SourceEvent event = SourceEvent.of("S", "1", 1);
        writes.add(Write.update(event, key, FITS.createIfMissing()));
      }
      List<String> expected = List.of("Applied", "CorruptRecordException", "Applied", "Applied");
      assertEquals(expected, told(committed(store, writes)), fault::toString);
      try (ClientSession session = fixture.client.startSession()) {
        session.startTransaction();
        assertNamed(broken, () -> store.in(session).update(MessageId.of("m"), broken, FITS));
      }
      assertNamed(
          broken, () -> MongoTransaction.on(fixture.client).write(store, writes.get(1)).commit());
    }
  }

  private static void assertNamed(EntityKey key, Executable call) {
    assertEquals(Optional.of(key), assertThrows(CorruptRecordException.class, call).key());
  }

  @Test
  @DisplayName("brings maxSources sources, and no further one, by each kind of write")
  void sources() {
    MongoNativeUpdate own = MongoNativeUpdate.of(Updates.inc("n", 1L));
    Change ruledOut = FITS.onlyIf(attribute("status").is("NEVER")).otherwiseSkip();
    List<BiFunction<Message, EntityKey, Write<Document>>> kinds =
        List.of(
            (message, key) -> Write.update(message, key, FITS.createIfMissing()),
            (message, key) -> Write.update(message, key, own),
            (message, key) -> Write.update(message, key, own.createIfMissing()),
            (message, key) -> Write.update(message, key, ruledOut),
            (message, key) -> Write.apply(message, key, document -> document.append("n", 1L)),
            Write::skip);
    MongoEntityStore<Document> few = store(Tracking.defaults().maxSources(3));
    for (BiFunction<Message, EntityKey, Write<Document>> kind : kinds) {
      EntityKey key = MongoFixture.key();
      assertTrue(few.update(MessageId.of("before"), key, FITS.createIfMissing()).isApplied());
      for (int source = 1; source <= 3; source++) {
        committed(few, twice(kind, source, key));
      }
      List<Result<Document>> results = committed(few, twice(kind, 4, key));
      assertEquals("TooLargeException", told(results.subList(0, 1)).get(0));
      assertTrue(results.stream().noneMatch(Result::isDone), results::toString);
      SourceEvent further = SourceEvent.of("S", "5", 1);
      assertThrows(TooLargeException.class, () -> few.update(further, key, FITS));
      Document events = stored(key).get("events", Document.class);
      assertEquals(3, events.get("S", Document.class).size());
    }
  }

  /** Two writes of one entity, each by an event of one source. */
  private static List<Write<Document>> twice(
      BiFunction<Message, EntityKey, Write<Document>> kind, int source, EntityKey key) {
    return List.of(
        kind.apply(SourceEvent.of("S", "" + source, 1), key),
        kind.apply(SourceEvent.of("S", "" + source, 2), key));
  }
}
