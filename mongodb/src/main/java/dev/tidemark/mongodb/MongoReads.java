package dev.tidemark.mongodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Freshness;
import dev.tidemark.Key;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** Reads that decide: of the primary, of what a majority has. */
final class MongoReads {
  private MongoReads() {}

  /** The live entity under a key. */
  static <T> Optional<T> find(MongoContext<T> context, Key key) {
    BsonDocument filter = context.keys().document(key);
    BsonDocument document =
        context.transport().reads().find(filter).projection(withoutIds(context)).first();
    boolean live = document != null && !context.records().isDeleted(document);
    try {
      return live && document != null
          ? Optional.of(context.mapping().entity(document))
          : Optional.empty();
    } catch (CorruptRecordException e) {
      throw Faults.withKey(e, key);
    }
  }

  /** A projection of the document without ids, where the entity does not carry them. */
  static @Nullable BsonDocument withoutIds(MongoContext<?> context) {
    if (context.mapping().carriesMarks()) {
      return null;
    }
    BsonDocument projection = new BsonDocument();
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      projection.append(context.names().ids(slot), new BsonInt32(0));
    }
    return projection;
  }

  /**
   * The document and what it says of the message, ids reduced where the server can; whole on
   * servers that evaluate no expressions.
   */
  static <T> MongoStored<T> look(MongoRun<T> run) {
    if (run.transport().hasPipelines()) {
      MongoLook look = new MongoLook(run.call(), run.message(), run.names(), run.registry());
      boolean ids = run.context().mapping().carriesMarks();
      BsonDocument projection =
          look.projection(BsonBoolean.TRUE, MongoExpressions.literal(new BsonInt32(-1)), true, ids);
      BsonDocument image = first(run, run.transport().measuring(projection, run.names()));
      if (image == null) {
        return MongoStored.nothing();
      }
      if (image.containsKey(MongoLook.RESULT)) {
        return MongoImages.stored(run, image, null);
      }
      run.transport().lacksPipelines();
    }
    BsonDocument document = first(run, null);
    return document == null ? MongoStored.nothing() : MongoOperatorForm.stored(run, document);
  }

  private static @Nullable BsonDocument first(MongoRun<?> run, @Nullable BsonDocument projection) {
    return MongoRetries.reading(
        () -> run.transport().reads().find(run.id()).projection(projection).first());
  }

  /** How many sources have marks, or -1 where the message's source is one of them. */
  static int sourcesIfNew(MongoRun<?> run, Map<String, Object> marks) {
    if (!(run.message() instanceof SourceEvent event)) {
      return -1;
    }
    boolean isNew =
        Stream.of(Names.Part.FLOOR, Names.Part.SEEN, Names.Part.HORIZON)
            .noneMatch(part -> marks.containsKey(run.names().mark(event.source(), part)));
    return isNew ? run.names().countSources(marks.keySet()) : -1;
  }

  /** Waits until an entity has seen a message. */
  static <T> Freshness<T> find(MongoRun<T> run, NotBefore notBefore) {
    return MongoWaits.until(
        run, () -> MongoRetries.run(run, () -> Optional.of(freshness(run))), notBefore.timeout());
  }

  private static <T> Freshness<T> freshness(MongoRun<T> run) {
    MongoStored<T> stored = look(run);
    Optional<Outcome<T>> settled = run.call().settle(stored.found());
    return settled.isEmpty() || settled.get() instanceof Outcome.Gap
        ? new Freshness.NotYet<>(run.call().mark(run.call().marks(stored.found())))
        : new Freshness.Fresh<>(liveEntity(run, stored));
  }

  private static <T> @Nullable T liveEntity(MongoRun<T> run, MongoStored<T> stored) {
    TrackedCall call = run.call();
    boolean live = stored.found().state(run.names(), call.now()) == Found.State.LIVE;
    return live ? run.requiredEntity(stored.document()) : null;
  }
}
