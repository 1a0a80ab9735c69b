package dev.tidemark.mongodb;

import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCursor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A change stream that tells when one entity was written, and no more. Whatever fails here ends the
 * stream, and is no fault of the caller's: it looks again after pauses instead.
 *
 * <p>A plain aggregation and no {@code watch}: the driver resumes the latter by itself, as often as
 * it breaks and past any deadline.
 */
final class ChangeStream implements AutoCloseable {
  private final Transport transport;
  private final Duration longest;
  private @Nullable MongoCursor<BsonDocument> cursor;

  private ChangeStream(
      Transport transport, Duration longest, @Nullable MongoCursor<BsonDocument> cursor) {
    this.transport = transport;
    this.longest = longest;
    this.cursor = cursor;
  }

  /**
   * Opens a stream, which tells of what is written from now on. It is not open where the server has
   * none.
   *
   * @param id the entity
   * @param longest how long to wait for one change
   */
  static ChangeStream open(Transport transport, BsonValue id, Duration longest) {
    MongoCursor<BsonDocument> cursor = null;
    if (transport.startsStream()) {
      try {
        cursor =
            transport
                .reads()
                .withReadConcern(ReadConcern.MAJORITY)
                .aggregate(changesOf(id))
                .maxAwaitTime(longest.toMillis(), TimeUnit.MILLISECONDS)
                .cursor();
      } catch (RuntimeException e) {
        transport.endsStream();
        transport.failedStream(e);
      }
    }
    return new ChangeStream(transport, longest, cursor);
  }

  private static List<BsonDocument> changesOf(BsonValue id) {
    BsonDocument ofEntity = new BsonDocument("documentKey._id", new BsonDocument("$eq", id));
    return List.of(
        new BsonDocument("$changeStream", new BsonDocument()),
        new BsonDocument("$match", ofEntity),
        new BsonDocument("$project", new BsonDocument("_id", new BsonInt32(1))));
  }

  boolean isOpen() {
    return cursor != null;
  }

  /** Waits for a change. False if there was none in time, or the stream has ended. */
  boolean awaitChange() {
    MongoCursor<BsonDocument> open = cursor;
    if (open == null) {
      return false;
    }
    try {
      transport.asksStream();
      long start = System.nanoTime();
      boolean changed = open.tryNext() != null;
      while (open.available() > 0) {
        open.tryNext();
      }
      boolean waited = System.nanoTime() - start >= longest.toNanos() / 2;
      if (!changed && !waited) {
        close(); // as after a drop of the collection: nothing waits, nothing more comes
      }
      return changed;
    } catch (RuntimeException e) {
      close();
      return false;
    }
  }

  @Override
  public void close() {
    MongoCursor<BsonDocument> open = cursor;
    if (open == null) {
      return;
    }
    cursor = null;
    boolean interrupted = Thread.interrupted(); // by such a thread the driver sends nothing
    try {
      open.close();
    } catch (RuntimeException e) {
      // The server closes what nobody reads, in its own time.
    } finally {
      transport.endsStream();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
