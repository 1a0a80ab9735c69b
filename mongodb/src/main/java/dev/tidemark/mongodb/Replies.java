package dev.tidemark.mongodb;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** What the server's answer to a request says to its run. */
final class Replies<T> {
  private final Context<T> context;
  private final Transport transport;

  Replies(Context<T> context) {
    this.context = context;
    this.transport = context.transport();
  }

  /** A write that was made, and brought no image. */
  Reply.Accepted<T> made(Runner<T> runner, boolean created) {
    Request<T> request = runner.request();
    T entity =
        request.effect() instanceof Effect.Called<T> called ? called.functions().entity() : null;
    boolean deletes = request.effect() instanceof Effect.Tombstone;
    return new Reply.Accepted<>(created && !deletes, entity, Map.of(), -1);
  }

  /** A write whose filter matched nothing. */
  Reply<T> unmatched(Runner<T> runner) {
    boolean absent = runner.command().isPipeline() && runner.request().over() == null;
    return new Reply.Refused<>(absent ? StoredDocument.nothing(context, runner.key()) : null, null);
  }

  /** The image after a write. */
  Reply<T> image(Runner<T> runner, @Nullable BsonDocument image) {
    Request<T> request = runner.request();
    boolean pipeline = runner.command().isPipeline();
    try {
      return pipeline && request.over() == null
          ? new Image<>(context, request).reply(image)
          : new Operators<>(context).reply(request, image);
    } catch (RuntimeException e) { // the write may have been made: a read tells
      runner.mayHaveBeenMade();
      return new Reply.Refused<>(null, null);
    }
  }

  /** The error of a write. */
  Reply<T> error(Runner<T> runner, RuntimeException e) {
    return switch (Errors.kind(e)) {
      case REFUSED -> refused(runner, e);
      case KEY_TAKEN -> taken(runner.key());
      case CONTENTION -> {
        if (transport.mayHideAttempt(e)) {
          runner.mayHaveBeenMade();
        }
        yield new Reply.Busy<>(1, e);
      }
      case UNCERTAIN -> new Reply.Lost<>(runner.mayTryAgain(e), e);
      case TOO_LARGE -> tooLarge(runner, e);
      case OTHER -> fault(runner, e);
    };
  }

  /** Whoever has not read does not know whether messages wait in a document that is full. */
  private Reply<T> tooLarge(Runner<T> runner, RuntimeException e) {
    return Errors.isOfDocument(e) && !runner.knowsWhatWaits()
        ? new Reply.Refused<>(null, null)
        : new Reply.Fault<>(fullOrTooLarge(runner, e), true);
  }

  /** What a write comes to that met a limit of the server: no message's fault while others wait. */
  RuntimeException fullOrTooLarge(Runner<T> runner, RuntimeException e) {
    StoredDocument<T> over = (StoredDocument<T>) runner.request().over();
    boolean waits = over != null && keeps(over, context.names().outbox());
    boolean parked = over != null && keeps(over, context.names().outboxParked());
    return Outbox.full(
        Errors.tooLarge(e, runner.key(), runner.command().bytesOfDocument()),
        waits && Errors.isOfDocument(e),
        parked && Errors.isOfDocument(e));
  }

  private boolean keeps(StoredDocument<T> over, String list) {
    return over.found().marks().get(list) instanceof List<?> messages && !messages.isEmpty();
  }

  /** The fault by which a write ends its transaction, where nothing more can be asked. */
  RuntimeException ending(Runner<T> runner, RuntimeException e) {
    Errors.Kind kind = Errors.kind(e);
    if (kind == Errors.Kind.TOO_LARGE) {
      return fullOrTooLarge(runner, e);
    }
    return kind == Errors.Kind.KEY_TAKEN && !runner.key().routing().isEmpty()
        ? elsewhere(runner.key()) // one that came after the snapshot is a WriteConflict
        : Errors.fault(e, runner.key());
  }

  private static InvalidChangeException elsewhere(EntityKey key) {
    return new InvalidChangeException(
        "the entity has other values in its routing fields", key, null);
  }

  /** Whether an attempt without an answer was made, a read has to tell. */
  private Reply<T> refused(Runner<T> runner, RuntimeException e) {
    Request<T> request = runner.request();
    boolean unclear = runner.isDoubtful() || request.over() != null;
    BsonDocument told = unclear ? null : Refusals.image(context, request, e);
    return told == null
        ? new Reply.Refused<>(null, null)
        : new Image<>(context, request).reply(told);
  }

  /** A fault of the record, which a blind write has not seen, is a refusal: a read tells more. */
  private Reply<T> fault(Runner<T> runner, RuntimeException e) {
    boolean ofRecord =
        runner.command().isPipeline()
            ? e instanceof MongoException failure && Errors.isOfExpression(failure)
            : Errors.mayBeOfNull(e);
    StoredDocument<T> over = (StoredDocument<T>) runner.request().over();
    if ((over == null || over.isPartial()) && ofRecord) {
      return new Reply.Refused<>(null, null);
    }
    if (runner.command().isPipeline() && !transport.evaluates() && Errors.isWithoutPipelines(e)) {
      return new Reply.Fault<>(Errors.withoutPipelines(e), false);
    }
    boolean ofNone = e instanceof MongoClientException || Errors.isUnsent(e);
    EntityKey key = runner.key();
    return new Reply.Fault<>(Faults.withKey(Errors.fault(e, key), key), !ofNone);
  }

  /** The key is taken by another writer, or by a document with other routing fields. */
  private Reply<T> taken(EntityKey key) {
    try {
      return isElsewhere(context.mapping().key(key))
          ? new Reply.Fault<>(elsewhere(key), false)
          : new Reply.Refused<>(null, null);
    } catch (RuntimeException e) {
      return new Reply.Busy<>(1, e);
    }
  }

  private boolean isElsewhere(BsonDocument id) {
    BsonDocument idAlone = new BsonDocument("_id", id.get("_id"));
    return id.size() > 1
        && transport.reads().find(idAlone).first() != null
        && transport.reads().find(id).first() == null;
  }
}
