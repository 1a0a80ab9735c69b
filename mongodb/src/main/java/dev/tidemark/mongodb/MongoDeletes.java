package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.all;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.literal;
import static dev.tidemark.mongodb.MongoExpressions.op;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import dev.tidemark.Change;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Found;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Deletes: a tombstone of key, marks and expiry in one command, or nothing left at all. */
final class MongoDeletes<T> {
  private final MongoRun<T> run;

  private MongoDeletes(MongoRun<T> run) {
    this.run = run;
  }

  /**
   * Leaves a tombstone.
   *
   * @param run its change says by {@code creates()} whether an absent entity gets one too
   */
  static <T> Outcome<T> delete(MongoRun<T> run) {
    MongoDeletes<T> deletes = new MongoDeletes<>(run);
    return MongoRetries.run(run, deletes::round);
  }

  /** Leaves nothing. */
  static <T> Outcome<T> forget(MongoRun<T> run) {
    MongoDeletes<T> deletes = new MongoDeletes<>(run);
    return MongoRetries.run(run, deletes::forgetRound);
  }

  private Optional<Outcome<T>> round() {
    if (!run.transport().hasPipelines() || run.call().isBeyondHorizon()) {
      return decide(MongoReads.look(run));
    }
    try {
      return blind();
    } catch (RuntimeException e) {
      if (MongoErrors.kind(e) != MongoErrors.Kind.NO_PIPELINES) {
        throw e;
      }
      run.transport().lacksPipelines();
      return decide(MongoReads.look(run));
    }
  }

  private Optional<Outcome<T>> blind() {
    MongoLook look = new MongoLook(run.call(), run.message(), run.names(), run.registry());
    boolean upsert =
        run.change().creates()
            && run.call().acceptsBlindly(Map.of())
            && run.call().settle(Found.nothing()).isEmpty();
    BsonValue unmet = literal(new BsonInt32(-1));
    BsonDocument projection =
        run.transport()
            .measuring(look.projection(BsonBoolean.TRUE, unmet, false, false), run.names());
    FindOneAndUpdateOptions options =
        new FindOneAndUpdateOptions()
            .upsert(upsert)
            .projection(projection)
            .returnDocument(ReturnDocument.BEFORE);
    BsonValue tombstone = tombstone();
    BsonDocument image =
        run.transport()
            .detecting(
                detection -> {
                  List<BsonValue> tests = new ArrayList<>(detection);
                  tests.add(look.guard());
                  BsonValue replaced = cond(all(tests), tombstone, MongoExpressions.ROOT);
                  return run.transport()
                      .writes()
                      .findOneAndUpdate(
                          run.id(), List.of(new BsonDocument("$replaceWith", replaced)), options);
                });
    if (image == null) {
      return upsert
          ? Optional.of(run.applied(null, false, Map.of()))
          : decide(MongoStored.nothing());
    }
    if (!image.containsKey(MongoLook.RESULT)) {
      return Optional.of(MongoImages.replayed(run, image));
    }
    MongoStored<T> stored = MongoImages.stored(run, image, null);
    return stored.wasApplied()
        ? Optional.of(run.applied(null, false, stored.found().marks()))
        : decide(stored);
  }

  /** Key and marks of all subscribers, with the message recorded and the expiry. */
  private BsonValue tombstone() {
    BsonArray kept = new BsonArray();
    new TreeSet<>(run.id().keySet()).forEach(name -> kept.add(new BsonString(name)));
    kept.add(new BsonString(run.names().revision()));
    BsonValue name = new BsonString("$$this.k");
    BsonValue ofMarks =
        op(
            "$regexMatch",
            new BsonDocument("input", name).append("regex", new BsonRegularExpression(marks())));
    BsonValue base =
        MongoOperations.only(
            MongoExpressions.any(List.of(op("$in", name, literal(kept)), ofMarks)));
    MongoOperations operations =
        new MongoOperations(run.registry()).marks(run.call().blind(Set.of()).operations());
    if (run.message() instanceof SourceEvent event) {
      operations.set(
          run.names().full(),
          MongoSources.flag(List.of(event.source()), run.names(), run.call().flaggedFrom()));
    }
    return operations.set(run.names().tombstone(), literal(expiry())).render(base);
  }

  private String marks() {
    dev.tidemark.AttributeNames names = run.context().tracking().names();
    return "^(?:" + quoted(names.messageIds()) + "|" + quoted(names.events()) + ")(?:[@#.]|$)";
  }

  private static String quoted(String name) {
    StringBuilder quoted = new StringBuilder();
    name.codePoints()
        .forEach(
            c -> {
              boolean plain = c > 0x7F || Character.isLetterOrDigit(c) || c == '_' || c == ' ';
              quoted.append(plain ? "" : "\\").appendCodePoint(c);
            });
    return quoted.toString();
  }

  private BsonValue expiry() {
    return MongoRecords.expiry(
        run.call().now().plus(run.context().tracking().tombstonesKeptFor()).getEpochSecond());
  }

  private Optional<Outcome<T>> decide(MongoStored<T> stored) {
    Optional<Outcome<T>> settled = run.call().settle(stored.found());
    if (settled.isPresent()) {
      return settled;
    }
    Change change = run.change().creates() ? Change.change().createIfMissing() : Change.change();
    Optional<Outcome<T>> missing = run.call().existence(stored.found(), change);
    return missing.isPresent()
        ? MongoImages.missing(run, stored, change, missing.get())
        : informed(stored);
  }

  private Optional<Outcome<T>> informed(MongoStored<T> stored) {
    Found<T> found = stored.found();
    BsonDocument document = run.id().clone();
    if (!found.exists()) {
      document.putAll(run.context().records().nested(run.call().tombstone(Map.of())));
      run.transport().writes().insertOne(document);
      return Optional.of(run.applied(null, false, Map.of()));
    }
    BsonDocument whole = run.transport().hasPipelines() ? whole() : stored.document();
    Map<String, Object> marks = new LinkedHashMap<>(run.context().records().flat(whole));
    Found<T> full = new Found<>(true, marks, null);
    if (!Objects.equals(full.revision(run.names()), found.revision(run.names()))) {
      return Optional.empty(); // of less than a majority, reads may be behind what is written
    }
    document.putAll(run.context().records().nested(run.call().tombstone(run.call().marks(full))));
    BsonDocument filter = run.filter(MongoImages.unchanged(run, found));
    return run.transport().writes().replaceOne(filter, document).getMatchedCount() == 0
        ? Optional.empty()
        : Optional.of(run.applied(null, false, run.call().marks(found)));
  }

  /** All marks, of all subscribers, which a look may have reduced. */
  private BsonDocument whole() {
    BsonDocument document =
        MongoRetries.reading(() -> run.transport().reads().find(run.id()).first());
    return document == null ? new BsonDocument() : document;
  }

  private Optional<Outcome<T>> forgetRound() {
    run.call().erasesItsMark(Set.of(), true);
    MongoStored<T> stored = MongoReads.look(run);
    Found<T> found = stored.found();
    Optional<Outcome<T>> settled = run.call().settle(found);
    if (settled.isPresent()) {
      return settled;
    }
    if (found.state(run.names(), run.call().now()) == Found.State.ABSENT) {
      return Optional.of(new Outcome.Deleted<>());
    }
    BsonDocument filter = run.filter(MongoImages.unchanged(run, found));
    long deleted = run.transport().writes().deleteOne(filter).getDeletedCount();
    return deleted == 0
        ? Optional.empty()
        : Optional.of(run.applied(null, false, run.call().marks(found)));
  }
}
