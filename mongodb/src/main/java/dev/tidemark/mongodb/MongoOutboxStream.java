package dev.tidemark.mongodb;

import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.tidemark.kernel.Backoff;
import dev.tidemark.kernel.Uninterrupted;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Tells a relay at once which records have messages, by a change stream of their collection, so
 * that it need not wait for its next look:
 *
 * <pre>{@code
 * try (MongoOutboxStream stream =
 *     MongoOutboxStream.builder(outbox, relay::hint)
 *         .tokens(MongoOutboxStream.Tokens.in(places, "relay-1"))
 *         .sweep(relay::look)
 *         .build()) {
 *   while (running) {
 *     stream.poll();
 *   }
 * }
 * }</pre>
 *
 * <p>A stream is a hint, and what is stored is the truth: whatever becomes of the stream costs
 * time, and no message. A stream that has lost its history, whose place the server does not know,
 * or whose collection was dropped or renamed starts anew and asks for a look at all shards; one
 * that the server does not have, for want of a replica set or of the right, is asked for again each
 * minute. The listener is told of all that, and {@link #poll} throws nothing of it.
 *
 * <p>The place is kept up to date while nothing happens, too, so that it does not grow older than
 * the server's history. An event is told once for each record that comes to have messages, however
 * many it has.
 *
 * <p>One request for each poll while nothing happens, which the server answers once something does.
 * Starts no thread. For one thread at a time.
 */
public final class MongoOutboxStream implements AutoCloseable {
  /** So many events are told in one poll, before the place is kept. */
  private static final int MOST_EVENTS = 1_000;

  /** After so many answers that were errors, the place is taken for the cause. */
  private static final int MOST_REFUSALS = 5;

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Backoff PAUSES = Backoff.doubling(Duration.ofMillis(100), LONGEST_PAUSE);

  private final MongoCollection<BsonDocument> collection;
  private final OutboxEvents events;
  private final Hints hints;
  private final StreamPlace place;
  private final Runnable sweep;
  private final Listener listener;
  private final Duration wait;
  private final Clock clock;
  private final LongSupplier nanos;
  private final LongConsumer pauses;

  private @Nullable MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> cursor;

  private long openedAt;
  private boolean owesSweep;
  private int failures;
  private int refusals;
  private long pausedUntil;
  private volatile long caughtUpAt;

  MongoOutboxStream(MongoOutboxStreamBuilder builder) {
    this.collection = builder.outbox.watched();
    this.events = builder.outbox.events();
    this.hints = builder.hints;
    this.place = new StreamPlace(builder);
    this.sweep = builder.sweep;
    this.listener = builder.listener;
    this.wait = OpenStream.wait(collection, builder.wait);
    this.clock = builder.outbox.clock();
    this.nanos = builder.nanos;
    this.pauses = builder.pauses;
    long now = nanos.getAsLong();
    this.caughtUpAt = now;
    this.pausedUntil = now;
  }

  /**
   * A stream of an outbox.
   *
   * @param outbox the outbox of a relay
   * @param hints the relay's, such as {@code relay::hint}
   * @return a builder
   */
  public static MongoOutboxStreamBuilder builder(MongoOutbox outbox, Hints hints) {
    return new MongoOutboxStreamBuilder(outbox, hints);
  }

  /** Takes word of records that have messages. */
  @FunctionalInterface
  public interface Hints {
    /**
     * A record has messages now.
     *
     * @param shard of the record
     * @param key as {@link dev.tidemark.outbox.OutboxRecord#key} has it
     * @return false if there is no room for the hint, so that all shards have to be looked at
     */
    boolean hint(int shard, Object key);
  }

  /** Keeps the place of a stream beyond the life of a process. What it throws ends no stream. */
  public interface Tokens {
    /**
     * The place that was kept last.
     *
     * @return empty if none was
     */
    Optional<String> read();

    /**
     * Keeps a place.
     *
     * @param token of a few hundred characters
     */
    void write(String token);

    /**
     * Keeps places in a collection, one document for each name.
     *
     * @param collection any, but that of the outbox
     * @param name of the process: where several share one, a stream may go on from another's place,
     *     and what it misses waits for the relay's next look
     * @return written and read by majority
     */
    static Tokens in(MongoCollection<?> collection, String name) {
      return new OutboxTokens(collection, name);
    }
  }

  /** What may happen to a stream. */
  public enum Event {
    /** The server does not have the history since the kept place, or does not know the place. */
    HISTORY_LOST,
    /** The collection was dropped or renamed; what comes under its name is told from now on. */
    INVALIDATED,
    /** The server gives no change streams, or no right to them; it is asked again each minute. */
    UNAVAILABLE,
    /** No answer, or an error that passes; tried again after a pause that grows to a minute. */
    FAILED,
    /** The place could not be read or kept. */
    TOKEN_FAILED
  }

  /** Is told of what happens to a stream, on its thread. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Takes note.
     *
     * @param event what happened
     * @param error the cause; null if there was no error
     */
    void told(Event event, @Nullable RuntimeException error);
  }

  /**
   * Waits for events, and tells them. Returns at the latest after the time that the builder was
   * given, but for an answer that the driver waits for; it waits as long where there is no stream,
   * so that a loop around it is never a busy one. An interrupt ends it early; on a thread that was
   * interrupted before, it reads nothing, and rests all the same.
   *
   * @return how many records were told of
   */
  public int poll() {
    if (Thread.currentThread().isInterrupted()) {
      rest();
      return 0;
    }
    try {
      MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> open = cursor;
      if (open == null) {
        if (isPausing()) {
          return 0;
        }
        open = open();
        cursor = open;
      }
      int told = tell(open);
      failures = 0;
      refusals = 0;
      return told;
    } catch (RuntimeException e) {
      failed(e);
      return 0;
    } finally {
      place.save();
    }
  }

  /**
   * How far the stream is behind: the age of the event that it told last, by the clocks of the
   * server and of the outbox, or the time that has passed since it had nothing more to tell. It
   * grows while no answer comes. The measure for an alarm on a stream that is far behind or dead.
   *
   * @return not negative
   */
  public Duration behind() {
    return Duration.ofNanos(Math.max(0, nanos.getAsLong() - caughtUpAt));
  }

  /** Keeps the place and ends the stream. A later poll would open it again. */
  @Override
  public void close() {
    Uninterrupted.run(place::saveNow);
    closeCursor();
  }

  private boolean isPausing() {
    long left = pausedUntil - nanos.getAsLong();
    if (left > 0) {
      pauses.accept(Math.min(left, wait.toNanos()));
    }
    return pausedUntil - nanos.getAsLong() > 0;
  }

  /** A thread that was interrupted rests, or a loop around it would be a busy one. */
  private void rest() {
    Uninterrupted.run(() -> pauses.accept(wait.toNanos()));
  }

  private MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> open() {
    owesSweep |= !place.isKnown();
    ChangeStreamIterable<BsonDocument> stream =
        collection
            .watch(events.pipeline(), BsonDocument.class)
            .maxAwaitTime(wait.toMillis(), TimeUnit.MILLISECONDS);
    BsonDocument from = place.token();
    openedAt = nanos.getAsLong();
    if (from != null) {
      stream.startAfter(from); // which, other than resumeAfter, goes on after an invalidation
    }
    return stream.cursor();
  }

  /** The stream is open before all shards are looked at, so that nothing falls in between. */
  private int tell(MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> open) {
    place.moveTo(open.getResumeToken());
    lookAtAll();
    int told = 0;
    ChangeStreamDocument<BsonDocument> event = open.tryNext();
    while (event != null) {
      told += tell(event);
      place.moveTo(event.getResumeToken());
      isUpTo(event.getWallTime());
      if (OutboxEvents.ends(event)) {
        owesSweep = true;
        listener.told(Event.INVALIDATED, null);
        closeCursor();
        return told;
      }
      if (open.available() == 0 || told >= MOST_EVENTS) {
        lookAtAll();
        return told;
      }
      event = open.tryNext();
    }
    caughtUpAt = nanos.getAsLong();
    place.moveTo(open.getResumeToken());
    if (place.isAsRead() && caughtUpAt - openedAt > LONGEST_PAUSE.toNanos()) {
      startAnew(null);
    } else {
      lookAtAll();
    }
    return told;
  }

  /** Gives up the place; the next poll opens a stream from then on. */
  private void startAnew(@Nullable RuntimeException why) {
    closeCursor();
    place.giveUp();
    owesSweep = true;
    refusals = 0;
    listener.told(Event.HISTORY_LOST, why);
  }

  /** There may be more, so the event's age tells. */
  private void isUpTo(@Nullable BsonDateTime written) {
    if (written != null) {
      long age = Math.max(0, clock.millis() - written.getValue());
      caughtUpAt = nanos.getAsLong() - TimeUnit.MILLISECONDS.toNanos(age);
    }
  }

  private int tell(ChangeStreamDocument<BsonDocument> event) {
    OutboxKey key = events.key(event);
    if (key == null) {
      return 0;
    }
    owesSweep |= !hints.hint(events.shard(event), key);
    return 1;
  }

  private void lookAtAll() {
    if (owesSweep) {
      sweep.run();
      owesSweep = false;
    }
  }

  /** A place by which the server gives no stream is given up: the next try starts anew. */
  private void failed(RuntimeException e) {
    closeCursor();
    if (Errors.isInterruption(e) || Thread.currentThread().isInterrupted()) {
      return;
    }
    boolean answered = Errors.isAnswered(e);
    boolean lasting = answered && !Errors.isTransient(e);
    boolean without = Errors.isWithoutStreams(e);
    refusals = answered ? refusals + 1 : refusals;
    if (place.token() != null && !without && (lasting || refusals >= MOST_REFUSALS)) {
      startAnew(e);
      return;
    }
    failures++;
    pausedUntil = nanos.getAsLong() + (without ? LONGEST_PAUSE : PAUSES.after(failures)).toNanos();
    listener.told(without ? Event.UNAVAILABLE : Event.FAILED, e);
  }

  private void closeCursor() {
    MongoChangeStreamCursor<?> open = cursor;
    cursor = null;
    if (open == null) {
      return;
    }
    try {
      Uninterrupted.run(open::close);
    } catch (RuntimeException e) {
      // The server closes what nobody reads, in its own time.
    }
  }
}
