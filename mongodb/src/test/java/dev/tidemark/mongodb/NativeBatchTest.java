package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Native updates in batches and projectors")
final class NativeBatchTest {
  private record Paid(long amount) {}

  private record Elsewhere() implements EntityUpdate {
    @Override
    public Rules rules() {
      return Rules.defaults().createIfMissing();
    }
  }

  private final MongoFixture fixture = new MongoFixture();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(fixture.documents());
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private static MongoNativeUpdate adds(long amount) {
    return MongoNativeUpdate.of(Updates.inc("n", amount));
  }

  private Write<Document> counts() {
    return Write.update(id(), key, Change.change().add("n", 1L).createIfMissing());
  }

  private static Document counted(Document document) {
    return document.append("n", document.getLong("n") + 1);
  }

  private long n() {
    return store.find(key).orElseThrow().getLong("n");
  }

  private static List<String> words(List<Result<Document>> results) {
    List<String> words = new ArrayList<>();
    for (Result<Document> result : results) {
      Object told =
          result instanceof Result.Failed<Document> failed
              ? failed.fault()
              : result.outcomeIfJudged().orElseThrow();
      words.add(told.getClass().getSimpleName());
    }
    return words;
  }

  @Test
  @DisplayName("stand among portable ones, keep their order, and are applied once")
  void mixed() {
    MongoNativeUpdate ifPaid = adds(10).onlyIf(Filters.eq("status", "PAID"));
    List<Write<Document>> writes =
        List.of(
            Write.update(id(), key, adds(100)),
            counts(),
            Write.update(id(), key, adds(5)),
            Write.update(id(), key, ifPaid.otherwiseSkip()),
            Write.update(id(), key, Change.change().set("status", "PAID")),
            Write.update(id(), key, ifPaid),
            counts(),
            Write.apply(id(), key, NativeBatchTest::counted),
            Write.update(id(), MongoFixture.key(), adds(1).createIfMissing()),
            Write.update(id(), key, adds(20).retire(SourceEvent.of("A", "1", 1).source())));
    assertEquals(
        List.of(
            "Missing", "Applied", "Applied", "Refused", "Applied", "Applied", "Applied", "Applied",
            "Applied", "Applied"),
        words(store.writeAll(writes)));
    assertEquals(38, n());
    List<Result<Document>> again = store.writeAll(writes.subList(1, writes.size()));
    again.forEach(
        r -> assertInstanceOf(Outcome.Duplicate.class, r.outcomeIfJudged().orElseThrow()));
    assertEquals(38, n());
  }

  @Test
  @DisplayName("fail alone, before anything is written, if they are wrong or another store's")
  void refused() {
    List<Write<Document>> writes =
        List.of(
            counts(),
            Write.update(id(), key, MongoNativeUpdate.of(Updates.unset("messageIDs"))),
            Write.update(id(), key, new Elsewhere()),
            counts());
    List<Result<Document>> results = store.writeAll(writes);
    assertEquals(
        List.of("Applied", "IllegalArgumentException", "IllegalArgumentException", "Applied"),
        words(results));
    String said = String.valueOf(((Result.Failed<Document>) results.get(2)).fault().getMessage());
    assertTrue(said.contains("MongoNativeUpdate") && said.contains("Elsewhere"), said);
    assertEquals(2, n());
    assertThrows(IllegalArgumentException.class, () -> store.update(id(), key, new Elsewhere()));
  }

  @Test
  @DisplayName("are what an event does in a projector, one by one and in a batch")
  void projector() {
    Projector<Document> projector =
        Projector.into(store)
            .updating(Paid.class, e -> key, e -> adds(e.amount()).createIfMissing())
            .build();
    Delivery first = Delivery.of(SourceEvent.of("Order", "1", 1), new Paid(5));
    Delivery second = Delivery.of(SourceEvent.of("Order", "1", 2), new Paid(7));
    assertTrue(projector.handle(first).isApplied());
    assertTrue(projector.handle(List.of(first, second)).isDone());
    assertEquals(12, n());
  }
}
