package dev.tidemark.mongodb;

import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCursor;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Text;
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.kernel.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Waits until an entity has seen a message. A few short pauses first, since most often the
 * projector is just behind; then the entity's change stream says when a look is worth its while;
 * where there is none, pauses that grow.
 */
final class Waits<T> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);
  private static final int PAUSES_BEFORE_STREAM = 3;

  /** An interrupt is seen after it, and a connection is in use for so long. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(1);

  private final Context<T> context;
  private final EntityKey key;
  private final Message message;
  private final long end;
  private Duration pause = FIRST_PAUSE;

  private Waits(Context<T> context, EntityKey key, NotBefore notBefore) {
    this.context = context;
    this.key = key;
    this.message = notBefore.message();
    this.end = System.nanoTime() + notBefore.timeout().toNanos();
  }

  /** The first look that is Fresh, or the last one in time; an interrupt ends the wait. */
  static <T> Freshness<T> find(Context<T> context, EntityKey key, NotBefore notBefore) {
    requireNoTransaction(context.transport(), Text.given("notBefore", notBefore));
    Waits<T> waits = new Waits<>(context, Text.given("key to find", key), notBefore);
    Freshness<T> soon = waits.byPauses(waits.look(), PAUSES_BEFORE_STREAM);
    return waits.byPauses(waits.byStream(soon), Integer.MAX_VALUE);
  }

  /** What a transaction reads is as old as its first read, however long it waits. */
  private static void requireNoTransaction(Transport transport, NotBefore notBefore) {
    if (transport.inSession() && !notBefore.timeout().isZero()) {
      throw new IllegalStateException(
          "a read of collection "
              + transport.name()
              + " that waits for a message is in a transaction of MongoDB, which never sees what"
              + " others commit after it has begun to read: wait before the transaction begins, or"
              + " leave out within(...) for a single look");
    }
  }

  private boolean isWaiting(Freshness<T> seen) {
    boolean notYet = seen instanceof Freshness.NotYet;
    return notYet && left() > 0 && !Thread.currentThread().isInterrupted();
  }

  private long left() {
    return end - System.nanoTime();
  }

  private Freshness<T> byPauses(Freshness<T> first, int most) {
    Freshness<T> seen = first;
    for (int count = 0; count < most && isWaiting(seen); count++) {
      pause();
      seen = again(seen);
    }
    return seen;
  }

  /** Three quarters of a pause at least, so that many who wait do not look all at once. */
  private void pause() {
    long nanos = pause.toNanos();
    long some = nanos - ThreadLocalRandom.current().nextLong(nanos / 4);
    LockSupport.parkNanos(this, Math.min(left(), some));
    Duration next = pause.multipliedBy(2);
    pause = next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
  }

  /** A further look; the driver breaks off that of an interrupted thread. */
  private Freshness<T> again(Freshness<T> seen) {
    if (Thread.currentThread().isInterrupted()) {
      return seen;
    }
    try {
      return look();
    } catch (RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        return seen;
      }
      throw e;
    }
  }

  private Freshness<T> byStream(Freshness<T> first) {
    Duration request = request();
    if (!isWaiting(first) || request.compareTo(LONGEST_PAUSE) < 0) {
      return first;
    }
    BsonValue id = context.mapping().id(key);
    try (ChangeStream stream = ChangeStream.open(context.transport(), id, request)) {
      return stream.isOpen() ? listen(stream, request, first) : first;
    }
  }

  /**
   * As long as each of the fewest requests that fill the time that is left, but for one pause at
   * the end: that ends at the deadline, which a request would pass.
   */
  private Duration request() {
    long listening = Math.max(0, left() - LONGEST_PAUSE.toNanos());
    long requests = listening / LONGEST_REQUEST.toNanos() + 1;
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(listening / requests));
  }

  private Freshness<T> listen(ChangeStream stream, Duration request, Freshness<T> first) {
    Freshness<T> seen = again(first); // what was written before the stream was open
    pause = FIRST_PAUSE;
    while (isWaiting(seen) && stream.isOpen() && left() >= request.toNanos()) {
      if (stream.awaitChange() || left() <= 0) {
        seen = again(seen);
        if (isWaiting(seen)) {
          pause(); // an entity of many changes is looked at no more often than by pauses
        }
      }
    }
    pause = LONGEST_PAUSE;
    return seen;
  }

  /** A look, again after failures that pass. */
  private Freshness<T> look() {
    try {
      return ReadTries.read(Calls.MOST_TRIES, this::freshness);
    } catch (RuntimeException e) {
      throw Faults.withKey(e, key);
    }
  }

  private Freshness<T> freshness() {
    Verdict verdict =
        new Verdict(message, context.tracking(), context.names(), context.clock().instant());
    StoredDocument<T> stored = new Lookups<>(context).look(key, message, verdict.now());
    Found<T> found = stored.found();
    Optional<Outcome<T>> judged = verdict.ofMarks(found);
    if (judged.isEmpty() || judged.get() instanceof Outcome.Gap) {
      return new Freshness.NotYet<>(verdict.mark(found));
    }
    boolean live = found.state(context.names(), verdict.now()) == Found.State.LIVE;
    return new Freshness.Fresh<>(
        live ? context.mapping().live(Objects.requireNonNull(stored.document())) : null);
  }

  /**
   * A change stream that tells when one entity was written, and no more. Whatever fails here ends
   * the stream, and is no fault of the caller's: it looks again after pauses instead.
   *
   * <p>A plain aggregation and no {@code watch}: the driver resumes the latter by itself, as often
   * as it breaks and past any deadline.
   */
  static final class ChangeStream implements AutoCloseable {
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
     * Opens a stream, which tells of what is written from now on. It is not open where the server
     * has none.
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
        transport.countRead();
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
      try {
        Uninterrupted.run(open::close);
      } catch (RuntimeException e) {
        // The server closes what nobody reads, in its own time.
      } finally {
        transport.endsStream();
      }
    }
  }
}
