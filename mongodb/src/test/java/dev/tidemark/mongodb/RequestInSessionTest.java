package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A request of a run can be a part of a transaction in the caller's session")
final class RequestInSessionTest {
  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> views = fixture.documents();
  private final MongoCollection<Document> others = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(views);
  private final Context<Document> context = MongoEntityStore.builder(views).context();
  private final EntityKey key = MongoFixture.key();
  private final MessageId message = MessageId.of(UUID.randomUUID());

  @AfterEach
  void close() {
    fixture.close();
  }

  private Run<Document> run() {
    Write<Document> counted =
        Write.update(message, key, change().add("total", 1).createIfMissing());
    return new Run<>(
        List.of(counted),
        context.tracking(),
        context.names(),
        context.clock(),
        unchecked -> unchecked,
        context.recall(),
        new Patience(9, 9, 0, tries -> Duration.ZERO, race -> Duration.ZERO));
  }

  private static Request<Document> request(Run<Document> run) {
    return ((Step.Send<Document>) run.next()).request();
  }

  /** Sends a request of a run together with the insert of another document. */
  private void transact(Request<Document> request) {
    Command command = Objects.requireNonNull(Command.of(context, request, false, false));
    try (ClientSession session = fixture.client.startSession()) {
      session.startTransaction();
      others.insertOne(session, new Document());
      views.withDocumentClass(BsonDocument.class).bulkWrite(session, List.of(command.model()));
      session.commitTransaction();
    }
  }

  private static Outcome<Document> outcome(Run<Document> run) {
    assertInstanceOf(Step.Done.class, run.next());
    return ((Result.Judged<Document>) run.results().get(0)).outcome();
  }

  private long total() {
    return store.find(key).orElseThrow().getLong("total");
  }

  @Test
  @DisplayName("accepted with another document's insert: Applied, and both are there")
  void accepted() {
    Run<Document> run = run();
    transact(request(run));
    run.on(new Reply.Accepted<>(true, null, Map.of(), -1), false, Duration.ZERO);
    assertTrue(outcome(run).isApplied());
    assertEquals(1, total());
    assertEquals(1, others.countDocuments());
  }

  @Test
  @DisplayName("refused for the same message: the guard's error aborts, and a read says Duplicate")
  void refused() {
    assertTrue(store.update(message, key, change().add("total", 1).createIfMissing()).isApplied());
    Run<Document> again = run();
    MongoBulkWriteException aborted =
        assertThrows(MongoBulkWriteException.class, () -> transact(request(again)));
    assertEquals(Errors.Kind.REFUSED, Errors.kind(only(aborted)));
    Step.Send<Document> sent = (Step.Send<Document>) again.next();
    StoredDocument<Document> found =
        new Lookups<>(context).look(key, message, sent.request().marking().now());
    again.on(new Reply.Refused<>(found, null), false, Duration.ZERO);
    assertInstanceOf(Outcome.Duplicate.class, outcome(again));
    assertEquals(1, total());
    assertNull(others.find().first(), "no part was written");
  }

  /** The error of the one statement, as it is when it is sent alone. */
  private static MongoWriteException only(MongoBulkWriteException e) {
    BulkWriteError error = e.getWriteErrors().get(0);
    WriteError plain = new WriteError(error.getCode(), error.getMessage(), error.getDetails());
    return new MongoWriteException(plain, e.getServerAddress(), Set.of());
  }
}
