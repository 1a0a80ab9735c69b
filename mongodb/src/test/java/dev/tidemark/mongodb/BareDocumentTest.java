package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A document that has its key and nothing else is an entity like any other")
final class BareDocumentTest {
  private static final Change COUNT = change().add("n", 1L);
  private static final Change REFUSED =
      COUNT.onlyIf(Condition.attribute("n").is(7)).otherwiseSkip();
  private static final List<Function<EntityKey, Write<Document>>> WRITES =
      List.of(
          key -> Write.update(id(), key, COUNT),
          key -> Write.update(id(), key, COUNT.createIfMissing()),
          key -> Write.apply(id(), key, document -> document.append("n", 1L)),
          key -> Write.update(id(), key, REFUSED),
          key -> Write.delete(id(), key),
          key -> Write.forget(id(), key));

  private final MongoFixture fixture = new MongoFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private static EntityKey bare(MongoCollection<Document> documents, boolean routed) {
    EntityKey key = MongoFixture.key();
    Document document = new Document("_id", key.parts().get(0));
    documents.insertOne(routed ? document.append("region", "eu") : document);
    return routed ? key.routedBy("region", "eu") : key;
  }

  private static void assertDone(Outcome<?> outcome) {
    assertTrue(outcome.isDone(), outcome::toString);
    assertTrue(outcome.isApplied() || outcome instanceof Outcome.Refused, outcome::toString);
  }

  @Test
  @DisplayName("to every kind of write, alone and in a batch")
  void everyWrite() {
    MongoCollection<Document> documents = fixture.documents();
    MongoEntityStore<Document> store = MongoEntityStore.of(documents);
    for (boolean routed : List.of(false, true)) {
      for (Function<EntityKey, Write<Document>> write : WRITES) {
        assertDone(store.write(write.apply(bare(documents, routed))));
        List<Result<Document>> results =
            store.writeAll(
                List.of(
                    write.apply(bare(documents, routed)), write.apply(bare(documents, routed))));
        for (Result<Document> result : results) {
          Result.Judged<?> judged = assertInstanceOf(Result.Judged.class, result, "" + result);
          assertDone(judged.outcome());
        }
      }
      EntityKey key = bare(documents, routed);
      assertDone(store.update(id(), key, Updates.inc("n", 1L)));
      assertEquals(1L, store.find(key).orElseThrow().getLong("n"));
    }
  }

  @Test
  @DisplayName("which an update does not create, as far as the reply alone tells")
  void notCreated() {
    Change change = COUNT.createIfMissing();
    MongoCollection<Document> documents = fixture.documents();
    MongoEntityStore<Document> store = MongoEntityStore.of(documents);
    List<Write<Document>> writes =
        List.of(
            Write.update(SourceEvent.of("Order", "1", 1), bare(documents, false), change),
            Write.update(id(), bare(documents, false), change),
            Write.update(id(), bare(documents, true), change));
    assertFalse(created(store.write(writes.get(0))));
    for (Result<Document> result : store.writeAll(writes.subList(1, 3))) {
      assertFalse(created(((Result.Judged<Document>) result).outcome()));
    }
    assertTrue(created(store.update(id(), MongoFixture.key(), change)));
  }

  private static boolean created(Outcome<?> outcome) {
    return assertInstanceOf(Outcome.Applied.class, outcome).created();
  }
}
