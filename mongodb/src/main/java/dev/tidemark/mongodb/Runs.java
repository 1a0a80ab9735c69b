package dev.tidemark.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.TooLargeException;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.mongodb.MongoNativeUpdate.NativeWrite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of runs together: what has to be read in one find, what has to be written in one
 * unordered bulk whose reply names those that were refused, as often as it takes. A run that stands
 * alone sends the form whose image tells what refused it.
 */
final class Runs<T> {
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  /** Well below the 100,000 writes and 48,000,000 bytes, keys included, at which drivers split. */
  private static final int MOST_IN_COMMAND = 10_000;

  private static final long MOST_BYTES_IN_COMMAND = 32_000_000;

  /**
   * A request on its way.
   *
   * @param command its form
   */
  private record Sent<T>(Runner<T> runner, Request<T> request, Command command) {
    /** Whether a bulk tells what became of it: by an error, or by the token that it has left. */
    boolean standsInBulk() {
      return !command.wantsImage() && (command.raises() || request.effect() instanceof Effect.Own);
    }
  }

  private final Context<T> context;
  private final Transport transport;
  private final Lookups<T> lookups;

  Runs(Context<T> context) {
    this.context = context;
    this.transport = context.transport();
    this.lookups = new Lookups<>(context);
  }

  /** Goes on until every write has a result. */
  void run(List<Runner<T>> runners) {
    List<Runner<T>> open = advanced(runners);
    while (!open.isEmpty()) {
      long left = Long.MAX_VALUE;
      for (Runner<T> runner : open) {
        left = Math.min(left, runner.left());
      }
      pause(left);
      List<Runner<T>> reading = new ArrayList<>();
      List<Runner<T>> sending = new ArrayList<>();
      for (Runner<T> runner : open) {
        if (runner.left() <= 0 || isStopped()) {
          (runner.reads() ? reading : sending).add(runner);
        }
      }
      if (!reading.isEmpty()) {
        lookups.read(reading);
      }
      send(sending);
      open = advanced(open);
    }
  }

  /** Those that need the store, each with its next step; the same again until it was taken. */
  private static <T> List<Runner<T>> advanced(List<Runner<T>> runners) {
    List<Runner<T>> open = new ArrayList<>(runners.size());
    for (Runner<T> runner : runners) {
      if (runner.advance()) {
        open.add(runner);
      }
    }
    return open;
  }

  /** An interrupted thread does not pause; it stays interrupted. */
  private void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !isStopped(); left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  private static boolean isStopped() {
    return Thread.currentThread().isInterrupted();
  }

  private void send(List<Runner<T>> runners) {
    List<Sent<T>> bulk = new ArrayList<>();
    for (Runner<T> runner : runners) {
      Sent<T> sent = formed(runner, runners.size() == 1 && runner.isOfOne());
      if (sent != null && sent.standsInBulk()) {
        bulk.add(sent);
      } else if (sent != null) {
        alone(sent);
      }
    }
    // A command each, as the driver sends them: an error of one says nothing of the others.
    while (!bulk.isEmpty()) {
      Class<?> kind = bulk.get(0).command().model().getClass();
      List<Sent<T>> others = new ArrayList<>();
      bulk.removeIf(sent -> sent.command().model().getClass() != kind && others.add(sent));
      bulk(bulk);
      bulk = others;
    }
  }

  /** A request in its form; null if it has none, of which the run is told. */
  private @Nullable Sent<T> formed(Runner<T> runner, boolean alone) {
    Request<T> request = runner.request();
    try {
      StoredDocument<T> over = (StoredDocument<T>) request.over();
      if (over != null && request.hasRule() && isTrue(over.refusesRuleOf(request))) {
        runner.on(new Reply.Refused<>(over, true)); // the rule comes before the shape
        return null;
      }
      Command command = form(runner, request, alone);
      if (command != null) {
        return new Sent<>(runner, request, command);
      }
      runner.on(new Reply.Refused<>(null, false));
    } catch (RuntimeException e) {
      runner.on(new Reply.Fault<>(Faults.withKey(e, runner.key()), true));
    }
    return null;
  }

  private static boolean isTrue(@Nullable Boolean told) {
    return told != null && told;
  }

  /** The request's form; null if it must not be sent without having read. */
  private @Nullable Command form(Runner<T> runner, Request<T> request, boolean alone) {
    Operators<T> operators = new Operators<>(context);
    StoredDocument<T> over = (StoredDocument<T>) request.over();
    if (request.effect() instanceof Effect.Flag) {
      return operators.flag(request.marking());
    }
    if (over != null) {
      runner.requireFit(over);
    }
    if (request.effect() instanceof Effect.Own<T> own) {
      NativeWrite update = (NativeWrite) own.update();
      if (over == null && !transport.evaluates()) {
        return null;
      }
      Command command =
          over == null
              ? operators.blind(request, update, alone)
              : operators.informed(request, update, over);
      return alone ? command : command.withoutImage();
    }
    if (over == null) {
      return transport.hasPipelines() ? new Pipelines<>(context).blind(request, alone) : null;
    }
    if (request.effect() instanceof Effect.Removal) {
      return operators.removal(request, over);
    }
    if (!transport.hasPipelines()) {
      return new Documents<>(context).replaced(request, over);
    }
    Command command = new Pipelines<>(context).informed(request, over, runner.wasRefused(over));
    return command.wantsImage() && command.raises() && !alone ? command.withoutImage() : command;
  }

  /** Sends a write whose image is wanted, or whose refusal the number of matches tells. */
  private void alone(Sent<T> sent) {
    Reply<T> reply;
    try {
      reply = sent.command().wantsImage() ? image(sent) : counted(sent);
    } catch (MongoBulkWriteException e) {
      partly(e, List.of(sent));
      return;
    } catch (RuntimeException e) {
      failed(sent, e);
      return;
    }
    sent.runner().on(reply);
  }

  private Reply<T> image(Sent<T> sent) {
    Request<T> request = sent.request();
    BsonDocument image = sent.command().findAndUpdate(transport);
    boolean pipeline = sent.command().isPipeline();
    if (image != null && pipeline) { // without a document nothing is evaluated
      transport.hasAnswered();
    }
    return pipeline && request.over() == null
        ? new Image<>(context, request).reply(image)
        : new Operators<>(context).reply(request, image);
  }

  private Reply<T> counted(Sent<T> sent) {
    WriteModel<BsonDocument> model = sent.command().model();
    BulkWriteResult result = transport.writes().bulkWrite(List.of(model));
    if (sent.request().effect() instanceof Effect.Flag) {
      return new Reply.Accepted<>(false, null, Map.of(), -1);
    }
    boolean created = !result.getUpserts().isEmpty();
    boolean made = created || result.getMatchedCount() > 0 || result.getDeletedCount() > 0;
    if (!made) {
      boolean absent = sent.command().isPipeline() && sent.request().over() == null;
      EntityKey key = sent.runner().key();
      return new Reply.Refused<>(absent ? StoredDocument.nothing(context, key) : null, false);
    }
    boolean returns = sent.request().rules().returns();
    T entity =
        returns && model instanceof ReplaceOneModel<BsonDocument> whole
            ? Lookups.entity(context, whole.getReplacement())
            : null;
    return accepted(sent, created, entity);
  }

  /** What is known of a write that brought no image. */
  private Reply<T> accepted(Sent<T> sent, boolean created, @Nullable T entity) {
    if (sent.command().isPipeline()) {
      transport.hasAnswered();
    }
    T after =
        sent.request().effect() instanceof Effect.Called<T> called
            ? called.functions().entity()
            : entity;
    return new Reply.Accepted<>(created, after, Map.of(), -1);
  }

  private void bulk(List<Sent<T>> all) {
    List<WriteModel<BsonDocument>> models = new ArrayList<>(all.size());
    all.forEach(sent -> models.add(sent.command().model()));
    try {
      settle(transport.writes().bulkWrite(models, UNORDERED), all, all);
    } catch (MongoBulkWriteException e) {
      partly(e, all);
    } catch (RuntimeException e) {
      failed(all, e);
    }
  }

  /**
   * Those that met no error were made, unless they are refused by matching nothing; the entities
   * that outcomes have to carry are read next.
   */
  private void settle(BulkWriteResult result, List<Sent<T>> all, List<Sent<T>> fine) {
    Set<Sent<T>> created = Collections.newSetFromMap(new IdentityHashMap<>());
    result.getUpserts().forEach(upsert -> created.add(all.get(upsert.getIndex())));
    int matched = result.getMatchedCount() + result.getInsertedCount() + created.size();
    List<Sent<T>> made = new ArrayList<>(fine);
    if (matched < fine.size()) {
      List<Sent<T>> open = fine.stream().filter(s -> !s.command().raises()).toList();
      made.removeAll(open);
      made.addAll(matching(open, matched - made.size()));
    }
    for (Sent<T> sent : made) {
      boolean deletes = sent.request().effect() instanceof Effect.Tombstone;
      boolean isNew = created.contains(sent) && !deletes;
      if (sent.request().rules().returns()) {
        sent.runner().returning(entity -> accepted(sent, isNew, entity));
      } else {
        sent.runner().on(accepted(sent, isNew, null));
      }
    }
  }

  /**
   * Those of a bulk that matched, of which it tells the number alone: each has left its token. If
   * there are fewer tokens, others have written since, and the rest may have been made too.
   */
  private List<Sent<T>> matching(List<Sent<T>> open, int number) {
    Set<Object> tokens = Set.of();
    try {
      if (number > 0) {
        tokens = lookups.revisions(open.stream().map(sent -> sent.runner().key()).toList());
      }
    } catch (RuntimeException e) {
      open.forEach(sent -> sent.runner().on(new Reply.Lost<>(!Errors.isInterruption(e), e)));
      return List.of();
    }
    List<Sent<T>> made = new ArrayList<>();
    List<Sent<T>> others = new ArrayList<>();
    for (Sent<T> sent : open) {
      (tokens.contains(sent.request().marking().token()) ? made : others).add(sent);
    }
    if (made.size() < number) {
      others.forEach(sent -> sent.runner().mayHaveBeenMade());
    }
    others.forEach(sent -> sent.runner().on(new Reply.Refused<>(null, false)));
    return made;
  }

  /** Some met errors, each its own; the others are as if there had been none. */
  private void partly(MongoBulkWriteException e, List<Sent<T>> all) {
    List<Sent<T>> made = new ArrayList<>(all);
    for (BulkWriteError error : e.getWriteErrors()) {
      Sent<T> sent = all.get(error.getIndex());
      made.remove(sent);
      WriteError plain = new WriteError(error.getCode(), error.getMessage(), error.getDetails());
      failed(sent, new MongoWriteException(plain, e.getServerAddress(), Set.of()));
    }
    WriteConcernError concern = e.getWriteConcernError();
    if (concern != null) { // the others may be rolled back
      MongoException weak =
          new MongoWriteConcernException(concern, null, e.getServerAddress(), Set.of());
      made.forEach(sent -> sent.runner().on(new Reply.Lost<>(true, weak)));
      made.clear();
    }
    settle(e.getWriteResult(), all, made);
  }

  /** The bulk failed as a whole. One write may be the cause; those before it may have been made. */
  private void failed(List<Sent<T>> all, RuntimeException e) {
    boolean tooLarge = Errors.kind(e) == Errors.Kind.TOO_LARGE;
    boolean several = all.size() > 1 && (tooLarge || mayTakeSeveralCommands(all));
    if (several) {
      all.forEach(sent -> sent.runner().mayHaveBeenMade());
    }
    if (!several || Errors.isPassing(e)) {
      all.forEach(sent -> failed(sent, e));
    } else {
      bulk(all.subList(0, all.size() / 2));
      bulk(all.subList(all.size() / 2, all.size()));
    }
  }

  /** Whether the driver may have split a bulk, so that the error is that of one part. */
  private static <T> boolean mayTakeSeveralCommands(List<Sent<T>> bulk) {
    long bytes = bulk.stream().mapToLong(sent -> sent.command().bytes()).sum();
    return bulk.size() > MOST_IN_COMMAND || bytes > MOST_BYTES_IN_COMMAND;
  }

  private void failed(Sent<T> sent, RuntimeException e) {
    Runner<T> runner = sent.runner();
    switch (Errors.kind(e)) {
      case REFUSED -> runner.on(refused(sent, e));
      case KEY_TAKEN -> runner.on(taken(runner.key()));
      case CONTENTION -> {
        if (transport.mayHideAttempt(e)) {
          runner.mayHaveBeenMade();
        }
        runner.on(new Reply.Busy<>(1, e));
      }
      case UNCERTAIN -> runner.on(new Reply.Lost<>(!Errors.isInterruption(e), e));
      case TOO_LARGE -> runner.on(new Reply.Fault<>(tooLarge(runner.key(), e), true));
      case NO_PIPELINES -> {
        transport.lacksPipelines();
        runner.on(
            transport.evaluates() ? fault(sent, e) : new Reply.Busy<>(1, e)); // in its next form
      }
      default -> runner.on(fault(sent, e));
    }
  }

  /** Whether an attempt without an answer was made, a read has to tell. */
  private Reply<T> refused(Sent<T> sent, RuntimeException e) {
    return sent.runner().isDoubtful() || sent.request().over() != null
        ? new Reply.Refused<>(null, false)
        : Refusals.reply(context, sent.request(), e);
  }

  private static TooLargeException tooLarge(EntityKey key, RuntimeException e) {
    return new TooLargeException(
        "the document would exceed MongoDB's 16,777,216 bytes, marks included"
            + Errors.size(e)
            + "; store less in it, or keep fewer message IDs and sources",
        key,
        e);
  }

  /** A fault of the record, which a blind write has not seen, is a refusal: a read tells more. */
  private Reply<T> fault(Sent<T> sent, RuntimeException e) {
    boolean ofRecord =
        sent.command().isPipeline()
            ? e instanceof MongoException failure && Errors.isOfExpression(failure)
            : Errors.mayBeOfNull(e);
    StoredDocument<T> over = (StoredDocument<T>) sent.request().over();
    if ((over == null || over.isPartial()) && ofRecord) {
      return new Reply.Refused<>(null, false);
    }
    boolean ofNone = e instanceof MongoClientException || Errors.isUnsent(e);
    EntityKey key = sent.runner().key();
    return new Reply.Fault<>(Faults.withKey(Errors.fault(e, key), key), !ofNone);
  }

  /** The key is taken by another writer, or by a document with other routing fields. */
  private Reply<T> taken(EntityKey key) {
    try {
      return isElsewhere(context.keys().document(key))
          ? new Reply.Fault<>(
              new InvalidChangeException(
                  "the entity has other values in its routing fields", key, null),
              false)
          : new Reply.Refused<>(null, false);
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
