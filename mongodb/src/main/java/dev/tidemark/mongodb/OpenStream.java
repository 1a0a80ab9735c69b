package dev.tidemark.mongodb;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.cursor.TimeoutMode;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import com.mongodb.client.model.changestream.SplitEvent;
import dev.tidemark.kernel.Uninterrupted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.RawBsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * An open change stream of a collection. Its session makes a read of the collection that follows
 * see at least what was there when the stream was opened. For one thread.
 */
final class OpenStream implements AutoCloseable {
  private static final Duration MOMENT = Duration.ofMillis(100);

  /** What the end of a stream follows, and no decoder has to know. */
  private static final Set<OperationType> LAST =
      Set.of(OperationType.DROP, OperationType.RENAME, OperationType.DROP_DATABASE);

  private static final Bson NOTHING =
      new BsonDocument("$match", new BsonDocument("operationType", new BsonString("")));

  /** So much is handed over at a time, and one document more. */
  private static final long MOST_BYTES = 16L * 1024 * 1024;

  private final Bson reading;
  private final String source;
  private final CodecRegistry codecs;
  private final MongoCollection<RawBsonDocument> collection;
  private final ClientSession session;
  private final MongoChangeStreamCursor<ChangeStreamDocument<RawBsonDocument>> cursor;
  private final @Nullable BsonDocument opened;

  /** What came before the place was known at which the stream was opened; else null. */
  private @Nullable ChangeStreamDocument<RawBsonDocument> first;

  /** What came of an event that comes in parts. */
  private final List<ChangeStreamDocument<RawBsonDocument>> parts = new ArrayList<>();

  private @Nullable BsonDocument token;

  /** Where another pipeline can go on, too: no place of a part of an event. */
  private @Nullable BsonDocument place;

  /** The place of the last part of an event, from which only a pipeline goes on that makes it. */
  private @Nullable BsonDocument lastPart;

  private boolean hasEnded;
  private boolean isIdle;

  /** Opens the stream where it was read up to, or at the present where it was not. */
  static OpenStream of(
      ChangeStreamIntakeBuilder settings, StreamProgress progress, boolean oneByOne) {
    return new OpenStream(settings, progress, settings.pipeline, oneByOne ? 1 : 0);
  }

  /**
   * Opens it with a pipeline.
   *
   * @param progress up to where it was read
   * @param batch how many events a reply has; 0 for as many as the server likes
   */
  OpenStream(
      ChangeStreamIntakeBuilder settings,
      StreamProgress progress,
      List<? extends Bson> pipeline,
      int batch) {
    this.reading = settings.reading;
    this.source = settings.source.getNamespace().getFullName();
    this.codecs = settings.source.getCodecRegistry();
    this.collection =
        OwnCollection.decoded(settings.source, RawBsonDocument.class)
            .withReadConcern(ReadConcern.MAJORITY)
            .withReadPreference(ReadPreference.primary());
    this.session = settings.client.startSession();
    try {
      BsonDocument readUpTo = progress.readUpTo();
      BsonDocument after = readUpTo == null ? present() : readUpTo;
      ChangeStreamIterable<RawBsonDocument> stream =
          collection
              .watch(session, pipeline, RawBsonDocument.class)
              .maxAwaitTime(wait(collection, MOMENT).toMillis(), TimeUnit.MILLISECONDS);
      stream.fullDocument(settings.fullDocument);
      if (batch > 0) {
        stream.batchSize(batch);
      }
      this.cursor = (after == null ? stream : stream.resumeAfter(after)).cursor();
      this.first = after == null ? cursor.tryNext() : null;
      this.token = after == null && first == null ? cursor.getResumeToken() : after;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
    this.opened = token;
    boolean isOfPart = !Objects.equals(progress.readUpTo(), progress.place());
    this.place = isOfPart ? progress.place() : token;
    this.lastPart = isOfPart ? token : null;
  }

  /**
   * The present as a place, told by a stream that lets nothing through. By the stream itself it is
   * told too late: an event that comes while that is opened would have no place before it, so that
   * it could not be held beyond the process's life. Null of servers that tell none without events.
   */
  private @Nullable BsonDocument present() {
    try (MongoChangeStreamCursor<?> none =
        collection
            .watch(session, List.of(NOTHING), RawBsonDocument.class)
            .maxAwaitTime(1, TimeUnit.MILLISECONDS)
            .cursor()) {
      var unused = none.tryNext();
      return none.getResumeToken();
    }
  }

  /** Everything before it was read; null if the server has told none. */
  @Nullable BsonDocument token() {
    return token;
  }

  /** The same, or a little earlier: where the stream goes on after a restart. */
  @Nullable BsonDocument place() {
    return place;
  }

  /**
   * Whether the server went on from where the stream was opened. It does so every few seconds,
   * though nothing happens, unless it has yet to come to that time: then it is another server, or
   * an older copy of it.
   */
  boolean hasMoved() {
    return token != null && !token.equals(opened);
  }

  /**
   * Whether the place is of a time that the server has not come to. A place that does not tell its
   * time is taken for one.
   */
  boolean isAhead() {
    BsonTimestamp now = session.getOperationTime();
    OptionalLong seconds = StreamTime.seconds(token);
    return now == null || seconds.isEmpty() || seconds.getAsLong() > now.getTime();
  }

  /** Whether the last look at the stream has found nothing. */
  boolean isIdle() {
    return isIdle;
  }

  /**
   * Whether the server has ended it, since the collection was dropped or renamed. Where the
   * pipeline lets no word of that through, the server ends it all the same.
   */
  boolean hasEnded() {
    return hasEnded;
  }

  /** What came, waiting a moment if nothing did. */
  List<StreamedChange> read(int most) {
    List<StreamedChange> read = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn && !hasEnded && read.size() < most) {
      ChangeStreamDocument<RawBsonDocument> event = first == null ? cursor.tryNext() : first;
      first = null;
      if (event != null) {
        add(event, read);
      } else if (cursor.getServerCursor() == null) {
        hasEnded = true;
      } else {
        moveTo(cursor.getResumeToken());
      }
      goesOn = cursor.available() > 0;
    }
    isIdle = read.isEmpty() && parts.isEmpty();
    return read;
  }

  /**
   * Takes an event, once it is whole: the parts of a large one come one behind the other, and the
   * place stays in front of them until something comes behind them. A server takes no place of a
   * part from a pipeline that does not split the event in the same way.
   */
  private void add(ChangeStreamDocument<RawBsonDocument> event, List<StreamedChange> read) {
    SplitEvent split = event.getSplitEvent();
    if (split == null) {
      addWhole(event, read);
      return;
    }
    parts.add(event);
    if (split.getFragment() >= split.getOf()) {
      ChangeStreamDocument<RawBsonDocument> whole = StreamEvents.joined(parts);
      parts.clear();
      lastPart = event.getResumeToken();
      addWhole(whole, read);
    }
  }

  private void addWhole(ChangeStreamDocument<RawBsonDocument> event, List<StreamedChange> read) {
    OperationType type = event.getOperationType();
    if (type == OperationType.INVALIDATE) {
      hasEnded = true;
      return;
    }
    if (type == null || !LAST.contains(type)) {
      read.add(StreamedChange.of(source, codecs, event, place));
    }
    moveTo(event.getResumeToken());
  }

  private void moveTo(@Nullable BsonDocument next) {
    if (next != null && parts.isEmpty()) {
      token = next;
      place = next.equals(lastPart) ? place : next;
    }
  }

  /** The collection, in about the order of the inserts. */
  MongoCursor<RawBsonDocument> all() {
    return untimed(collection, collection.find(session, reading).sort(Sorts.ascending("$natural")))
        .cursor();
  }

  /**
   * Lets a cursor live longer than the client allows for an operation, since its batches are
   * handled while it is open: each of its requests may take that long.
   */
  static <T> FindIterable<T> untimed(MongoCollection<?> collection, FindIterable<T> found) {
    return collection.getTimeout(TimeUnit.MILLISECONDS) == null
        ? found
        : found.timeoutMode(TimeoutMode.ITERATION);
  }

  /**
   * How long the server may wait for an event. The driver wants less than the client allows for an
   * operation, and the answer takes a part of that too.
   */
  static Duration wait(MongoCollection<?> collection, Duration wait) {
    Long timeout = collection.getTimeout(TimeUnit.MILLISECONDS); // 0 is none
    if (timeout == null || timeout == 0) {
      return wait;
    }
    Duration most = Duration.ofMillis(Math.max(1, timeout / 2));
    return most.compareTo(wait) < 0 ? most : wait;
  }

  /**
   * The next ones of the collection, up to a number and about as many bytes as a reply may have.
   */
  List<StreamedChange> next(MongoCursor<RawBsonDocument> all, int most) {
    List<StreamedChange> next = new ArrayList<>();
    long bytes = 0;
    while (next.size() < most && bytes < MOST_BYTES && all.hasNext()) {
      RawBsonDocument document = all.next();
      bytes += document.getByteBuffer().remaining();
      next.add(StreamedChange.of(source, codecs, document));
    }
    return next;
  }

  @Override
  public void close() {
    Uninterrupted.run(
        () -> {
          try (session) {
            cursor.close();
          } catch (RuntimeException e) {
            // The server closes what nobody reads, in its own time.
          }
        });
  }
}
