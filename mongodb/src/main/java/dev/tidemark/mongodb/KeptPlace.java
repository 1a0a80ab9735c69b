package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** When the place of a stream is written to its record. For one thread, but for {@link #fault}. */
final class KeptPlace {
  private final ChangeStreamIntakeBuilder settings;
  private @Nullable BsonDocument saved;
  private volatile @Nullable RuntimeException fault;
  private long savedAt;

  KeptPlace(ChangeStreamIntakeBuilder settings) {
    this.settings = settings;
    this.savedAt = settings.nanos.getAsLong();
  }

  /** What the record has; null if there is none. */
  @Nullable BsonDocument read() {
    try {
      saved = settings.record.read();
      return saved;
    } catch (MongoException e) {
      throw unlessLasting(e);
    }
  }

  /** Writes a place if the last one was written long enough ago. */
  void save(@Nullable BsonDocument place) {
    if (settings.nanos.getAsLong() - savedAt >= settings.savingEvery.toNanos()) {
      saveNow(place);
    }
  }

  /** Writes a place if it is another one; what fails is tried again with the next one. */
  void saveNow(@Nullable BsonDocument place) {
    if (place == null || place.equals(saved)) {
      return;
    }
    savedAt = settings.nanos.getAsLong();
    try {
      settings.record.write(place, settings.clock.instant());
      saved = place;
      fault = null;
    } catch (MongoException e) {
      fault = unlessLasting(e);
    }
  }

  /** Why the place could not be written last; null if it was. */
  @Nullable RuntimeException fault() {
    return fault;
  }

  private MongoException unlessLasting(MongoException e) {
    if (Errors.isLasting(e)) {
      throw new IllegalStateException(
          "MongoDB does not let the place of the stream be kept in " + settings.record, e);
    }
    return e;
  }
}
