package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Write;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Run;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an answer of the server does not say is not made up")
final class AnswersTest {
  private static final Change COUNTED = change().add("n", 1L);

  private final Deadlines deadlines = new Deadlines();
  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(documents);
  private final EntityKey key = MongoFixture.key();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("a mark that is a number without end is a record that cannot be read")
  void endless() {
    Message event = SourceEvent.of("Order", "1", 5);
    assertTrue(store.update(event, key, COUNTED.createIfMissing()).isApplied());
    documents.updateOne(
        new Document("_id", key.parts().get(0)),
        Updates.set("events.Order.1", Decimal128.POSITIVE_INFINITY));
    Message next = SourceEvent.of("Order", "1", 6);
    assertThrows(CorruptRecordException.class, () -> store.update(next, key, COUNTED));
  }

  private static Object fail(RuntimeException e) {
    throw e;
  }

  private Runner<Document> runner(Context<Document> context, Write<Document> write) {
    Run<Document> run =
        new Run<>(
            List.of(write),
            context.tracking(),
            context.names(),
            context.clock(),
            unchecked -> unchecked,
            context.recall(),
            new Patience(9, 9, 0, tries -> Duration.ZERO, race -> Duration.ZERO));
    return new Runner<>(context, List.of(write), run, deadlines);
  }

  @Test
  @DisplayName("a read for which the client's own deadline passes is tried three times")
  void deadlineOfReads() {
    Context<Document> context = MongoEntityStore.builder(documents).context();
    MongoOperationTimeoutException late = new MongoOperationTimeoutException("out of time");
    Runner<Document> runner =
        runner(context, Write.apply(id(), key, Document::new, document -> document));
    for (int tries = 0; tries < 3; tries++) {
      assertTrue(runner.advance());
      assertTrue(runner.reads());
      assertThrows(MongoOperationTimeoutException.class, () -> deadlines.within(() -> fail(late)));
      runner.unread(late);
    }
    assertFalse(runner.advance());
    Result<Document> result = runner.run().results().get(0);
    assertSame(late, assertInstanceOf(Result.Failed.class, result).fault());
  }

  @Test
  @DisplayName("an image of another form leaves it to a read what refused the write")
  void otherImage() {
    Context<Document> context = MongoEntityStore.builder(documents).context();
    Write<Document> write = Write.update(id(), key, COUNTED.onlyIf(attribute("n").is(1)));
    Runner<Document> runner = runner(context, write);
    assertTrue(runner.advance());
    assertTrue(runner.isFormed(true));
    BsonDocument image =
        new BsonDocument("_tidemark#ids", new BsonString("?"))
            .append("_tidemark#rule", new BsonString("?"));
    Reply<Document> answer = new Replies<>(context).image(runner, image);
    Reply.Refused<?> reply = assertInstanceOf(Reply.Refused.class, answer);
    assertNull(reply.stored());
    assertNull(reply.ruled());
    assertTrue(runner.isDoubtful());
  }

  @Test
  @DisplayName("a command that ran out of time may have been sent; one without a server was not")
  void outOfTime() {
    assertFalse(Errors.isUnsent(new MongoOperationTimeoutException("out of time")));
    assertTrue(Errors.isUnsent(new MongoTimeoutException("no server")));
  }

  @Test
  @DisplayName("a limit is told by its name: a document's size, its depth, an index's keys")
  void limits() {
    try (Proxied server = Proxied.open()) {
      MongoEntityStore<Document> behind = MongoEntityStore.of(server.collection(documents));
      assertTrue(behind.update(id(), key, COUNTED.createIfMissing()).isApplied());
      for (String limit : List.of("15 levels", "17280 index")) {
        server.proxy().refuse(1, Integer.parseInt(limit.substring(0, limit.indexOf(' '))));
        TooLargeException fault =
            assertThrows(TooLargeException.class, () -> behind.update(id(), key, COUNTED));
        String text = String.valueOf(fault.getMessage());
        assertTrue(text.contains(limit.substring(limit.indexOf(' ') + 1)), text);
        assertFalse(text.contains("16,777,216"), text);
      }
    }
    MongoException size = new MongoException(10334, "BSONObj size: 16830719 (0x100D0FF)");
    String text = String.valueOf(Errors.tooLarge(size, EntityKey.key("k"), 0).getMessage());
    assertTrue(text.contains("16,777,216 bytes") && text.contains("16830719"), text);
  }
}
