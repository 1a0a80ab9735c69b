package dev.tidemark.mongodb;

import dev.tidemark.mongodb.MongoOutboxStream.Event;
import dev.tidemark.mongodb.MongoOutboxStream.Listener;
import dev.tidemark.mongodb.MongoOutboxStream.Tokens;
import java.util.function.LongSupplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Up to where a stream has told, and the copy of that which outlives the process. */
final class StreamPlace {
  private final @Nullable Tokens tokens;
  private final Listener listener;
  private final long savingEvery;
  private final LongSupplier nanos;

  private boolean hasRead;
  private @Nullable BsonDocument read;
  private @Nullable BsonDocument token;
  private @Nullable BsonDocument saved;
  private long savedAt;

  StreamPlace(MongoOutboxStreamBuilder builder) {
    this.tokens = builder.tokens;
    this.listener = builder.listener;
    this.savingEvery = builder.savingEvery.toNanos();
    this.nanos = builder.nanos;
    this.savedAt = nanos.getAsLong();
  }

  /** Whether there is one, be it from an earlier process. */
  boolean isKnown() {
    if (!hasRead) {
      hasRead = true;
      read();
    }
    return token != null;
  }

  private void read() {
    String kept = null;
    try {
      kept = tokens == null ? null : tokens.read().orElse(null);
      token = kept == null ? null : BsonDocument.parse(kept);
    } catch (RuntimeException e) {
      listener.told(kept == null ? Event.TOKEN_FAILED : Event.HISTORY_LOST, e);
    }
    read = token;
    saved = token;
  }

  /** Where to go on; null for now. */
  @Nullable BsonDocument token() {
    return token;
  }

  /**
   * Whether it has not moved since it was read. A server moves it on every few seconds, though
   * nothing happens, unless it has yet to come to that time: then it is another server, or an older
   * copy of it.
   */
  boolean isAsRead() {
    return token != null && token.equals(read);
  }

  /** Takes the place that the server told, if it told one. */
  void moveTo(@Nullable BsonDocument place) {
    token = place == null ? token : place;
  }

  void giveUp() {
    token = null;
  }

  /** Keeps the place if it was kept long enough ago. */
  void save() {
    if (nanos.getAsLong() - savedAt >= savingEvery) {
      saveNow();
    }
  }

  /** Keeps the place if it has moved. */
  void saveNow() {
    BsonDocument place = token;
    if (tokens == null || place == null || Thread.currentThread().isInterrupted()) {
      return;
    }
    if (place.equals(saved)) {
      return;
    }
    savedAt = nanos.getAsLong();
    try {
      tokens.write(place.toJson());
      saved = place;
    } catch (RuntimeException e) {
      listener.told(Event.TOKEN_FAILED, e);
    }
  }
}
