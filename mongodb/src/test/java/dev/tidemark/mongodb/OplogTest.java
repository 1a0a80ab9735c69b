package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Law 8: the oplog does not carry the ids that are kept")
final class OplogTest {
  private static final int KEPT = 1_000;
  private static final int BATCH = 100;
  private static final int MEASURED = 100;

  private final MongoFixture fixture = new MongoFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  @DisplayName("a small update takes at most 500 bytes of it with 1,000 ids kept")
  void small() {
    for (IdPolicy policy :
        new IdPolicy[] {
          IdPolicy.forEver(), IdPolicy.keptFor(Duration.ofDays(30)), IdPolicy.forEver().compact()
        }) {
      MongoCollection<Document> collection =
          fixture.client.getDatabase("oplog").getCollection("o" + System.nanoTime() % 1_000_000);
      MongoEntityStore<Document> store =
          MongoEntityStore.builder(collection)
              .tracking(Tracking.defaults().messageIds(policy))
              .build();
      EntityKey key = MongoFixture.key();
      Change change = Change.change().add("n", 1).createIfMissing();
      for (int i = 0; i < KEPT / BATCH; i++) {
        List<Write<Document>> batch =
            Stream.generate(() -> Write.<Document>update(id(), key, change)).limit(BATCH).toList();
        for (Result<Document> result : store.writeAll(batch)) {
          assertTrue(result.outcomeIfJudged().orElseThrow().isApplied());
        }
      }
      measure(policy + ", portable", collection, i -> store.update(id(), key, change).isDone());
      MongoNativeUpdate update = MongoNativeUpdate.of(Updates.inc("n", 1));
      measure(policy + ", native", collection, i -> store.update(id(), key, update).isDone());
    }
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private void measure(String what, MongoCollection<?> collection, Consumer<Integer> write) {
    MongoCollection<RawBsonDocument> oplog =
        fixture.client.getDatabase("local").getCollection("oplog.rs", RawBsonDocument.class);
    BsonDocument last = oplog.find().sort(Sorts.descending("$natural")).first();
    BsonTimestamp start = last == null ? new BsonTimestamp() : last.getTimestamp("ts");
    for (int i = 0; i < MEASURED; i++) {
      write.accept(i);
    }
    long sum = 0;
    long largest = 0;
    for (RawBsonDocument entry :
        oplog.find(
            Filters.and(
                Filters.gt("ts", start),
                Filters.eq("ns", collection.getNamespace().getFullName())))) {
      int size = entry.getByteBuffer().remaining();
      sum += size;
      largest = Math.max(largest, size);
    }
    long mean = sum / MEASURED;
    System.out.println("oplog, " + what + ": " + mean + " bytes a write, the largest " + largest);
    assertTrue(mean > 0 && mean <= 500, what + " took " + mean + " bytes a write");
  }
}
