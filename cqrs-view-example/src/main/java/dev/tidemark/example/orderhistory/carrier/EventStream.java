package dev.tidemark.example.orderhistory.carrier;

import static com.mongodb.client.model.Aggregates.match;
import static com.mongodb.client.model.Filters.eq;

import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * An open change stream of a collection of events: inserts alone. The session makes a read that
 * follows see at least what was there when the stream was opened. For one thread.
 */
final class EventStream implements AutoCloseable {
  private static final int CLOSED = -286;

  /** InvalidResumeToken, ChangeStreamFatalError ("resume token not found"), HistoryLost. */
  private static final Set<Integer> LOST = Set.of(260, 280, 286, CLOSED);

  /** What no further attempt mends: no rights, no such command, no replica set. */
  private static final Set<Integer> FATAL = Set.of(13, 18, 59, 40573);

  private final ClientSession session;
  private final MongoCollection<Document> events;
  private final MongoChangeStreamCursor<ChangeStreamDocument<Document>> cursor;
  private @Nullable String token;

  /** Opens the stream behind a token, or at the present where there is none. */
  EventStream(MongoClient client, MongoCollection<Document> collection, @Nullable String after) {
    events =
        collection
            .withReadConcern(ReadConcern.MAJORITY)
            .withReadPreference(ReadPreference.primary());
    session = client.startSession();
    try {
      ChangeStreamIterable<Document> stream =
          events
              .watch(session, List.of(match(eq("operationType", "insert"))))
              .maxAwaitTime(100, TimeUnit.MILLISECONDS);
      cursor =
          (after == null
                  ? stream
                  : stream.resumeAfter(new BsonDocument("_data", new BsonString(after))))
              .cursor();
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
    token = data(cursor.getResumeToken());
  }

  /** Whether the stream cannot go on from where it was, since the oplog has not kept that. */
  static boolean isLost(RuntimeException e) {
    return e instanceof MongoException fault && LOST.contains(fault.getCode());
  }

  /** Throws what another attempt would not mend. */
  static void throwIfFatal(RuntimeException e) {
    if (e instanceof MongoSecurityException
        || (e instanceof MongoException fault && FATAL.contains(fault.getCode()))) {
      throw e;
    }
  }

  private static @Nullable String data(@Nullable BsonDocument token) {
    return token == null ? null : token.getString("_data").getValue();
  }

  /** What came, waiting a moment if nothing did. */
  List<StreamedEvent> read(int most) {
    List<StreamedEvent> read = new ArrayList<>();
    while (read.size() < most && (read.isEmpty() || cursor.available() > 0)) {
      ChangeStreamDocument<Document> insert = cursor.tryNext();
      if (insert == null) {
        break;
      }
      if (insert.getFullDocument() != null) {
        read.add(new StreamedEvent(insert.getFullDocument(), token));
      }
      token = data(cursor.getResumeToken());
    }
    token = data(cursor.getResumeToken());
    if (read.isEmpty() && cursor.getServerCursor() == null) {
      throw new MongoException(CLOSED, "the server closed the stream: the collection was dropped");
    }
    return read;
  }

  /** Everything before it was read. */
  @Nullable String token() {
    return token;
  }

  /** The whole collection, in about the order of the inserts. */
  MongoCursor<Document> all() {
    return events.find(session).sort(new Document("$natural", 1)).cursor();
  }

  /** The next ones of the collection. */
  static List<StreamedEvent> next(MongoCursor<Document> all, int most) {
    List<StreamedEvent> next = new ArrayList<>();
    while (next.size() < most && all.hasNext()) {
      next.add(new StreamedEvent(all.next(), null));
    }
    return next;
  }

  @Override
  public void close() {
    try (session) {
      cursor.close();
    }
  }
}
