package dev.tidemark.mongodb;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.Freshness;
import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Verdict;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/** Reads that decide: of the primary, of what a majority has. */
final class Reads {
  private Reads() {}

  /** The live entity under a key. */
  static <T> Optional<T> find(Context<T> context, Key key) {
    BsonDocument filter = context.keys().document(key);
    BsonDocument document =
        context.transport().reads().find(filter).projection(withoutIds(context)).first();
    try {
      return Optional.ofNullable(required(context, document));
    } catch (CorruptRecordException e) {
      throw Faults.withKey(e, key);
    }
  }

  /** A projection of the document without ids, where the entity does not carry them. */
  static @Nullable BsonDocument withoutIds(Context<?> context) {
    if (context.mapping().carriesMarks()) {
      return null;
    }
    BsonDocument projection = new BsonDocument();
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      projection.append(context.names().ids(slot), new BsonInt32(0));
    }
    return projection;
  }

  /** The entity in a document for an outcome, null for a deleted one or what cannot be mapped. */
  static <T> @Nullable T entity(Context<T> context, BsonDocument document) {
    return isLive(context, document) ? context.mapping().entityIfMapped(document) : null;
  }

  /** The entity for whoever needs it, null for a deleted one. */
  private static <T> @Nullable T required(Context<T> context, @Nullable BsonDocument document) {
    return document != null && isLive(context, document)
        ? context.mapping().entity(document)
        : null;
  }

  private static boolean isLive(Context<?> context, BsonDocument document) {
    return !document.isEmpty() && !context.records().isDeleted(document);
  }

  /** Waits until an entity has seen a message. */
  static <T> Freshness<T> find(Context<T> context, Key key, NotBefore notBefore) {
    return Waits.until(
        context,
        key,
        () -> persistently(key, () -> freshness(context, key, notBefore)),
        notBefore.timeout());
  }

  /** Asks again after failures that pass. */
  private static <R> R persistently(Key key, Supplier<R> read) {
    for (int tries = 1; ; tries++) {
      try {
        return read.get();
      } catch (RuntimeException e) {
        if (!Errors.isPassing(e)) {
          throw Faults.withKey(e, key);
        }
        if (tries == Calls.MOST_TRIES || Thread.currentThread().isInterrupted()) {
          throw Errors.isUnsent(e)
              ? e
              : new ContentionException("failures outlasted " + tries + " tries", key, e);
        }
        LockSupport.parkNanos(Calls.pause(tries).toNanos());
      }
    }
  }

  private static <T> Freshness<T> freshness(Context<T> context, Key key, NotBefore notBefore) {
    Message message = notBefore.message();
    Verdict verdict =
        new Verdict(message, context.tracking(), context.names(), context.clock().instant());
    StoredDocument<T> stored = new Lookups<>(context).look(key, message, verdict.now());
    Found<T> found = stored.found();
    Optional<Outcome<T>> judged = verdict.ofMarks(found);
    if (judged.isEmpty() || judged.get() instanceof Outcome.Gap) {
      return new Freshness.NotYet<>(verdict.mark(verdict.marks(found)));
    }
    boolean live = found.state(context.names(), verdict.now()) == Found.State.LIVE;
    return new Freshness.Fresh<>(live ? required(context, stored.read()) : null);
  }
}
