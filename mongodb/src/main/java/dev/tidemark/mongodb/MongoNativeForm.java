package dev.tidemark.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/**
 * A user's own operators, with the guard in the filter and the mark among the operators. What
 * refused the write is learnt by one aggregation, which reads the marks and tries the user's
 * filter.
 */
final class MongoNativeForm<T> implements MongoForm<T> {
  private final MongoRun<T> run;
  private final BsonDocument operators;
  private final @Nullable BsonDocument condition;
  private final List<BsonDocument> arrayFilters;

  MongoNativeForm(MongoRun<T> run, MongoNativeUpdate update) {
    this.run = run;
    MongoProperties properties = run.context().mapping().properties();
    this.operators = MongoNativeCheck.operators(update, run.key(), properties, run.registry());
    this.condition =
        update.filter() == null ? null : MongoNativeCheck.document(update.filter(), run.registry());
    this.arrayFilters =
        update.arrayFilters().stream()
            .map(filter -> MongoNativeCheck.document(filter, run.registry()))
            .toList();
  }

  @Override
  public Attempt<T> blind() {
    if (!run.comparesExactly()) {
      return Attempt.refused(look());
    }
    try {
      if (!run.transport().evaluates() || run.transport().isMeasuring()) {
        return asking();
      }
      Outcome<T> outcome =
          new MongoNativeBlind<>(run, merged(), conditional(List.of()), arrayFilters).outcome();
      return outcome == null ? Attempt.refused(look()) : Attempt.applied(outcome);
    } catch (RuntimeException e) {
      if (MongoErrors.kind(e) == MongoErrors.Kind.KEY_TAKEN) {
        return Attempt.refused(look());
      }
      if (MongoErrors.mayBeOfNull(e)) {
        MongoStored<T> stored = look(); // marks that are no documents are a fault of the record
        if (!stored.nulls().isEmpty()) {
          return Attempt.refused(stored);
        }
      }
      throw e;
    }
  }

  /** The write that also tells what the server is able to. */
  private Attempt<T> asking() {
    Plan plan = run.call().blind(run.change().retired());
    List<BsonDocument> tests = MongoOperatorForm.floors(plan.operations());
    tests.add(MongoGuards.of(run, plan.guard().and(run.call().live())));
    boolean upsert = run.createsBlindly();
    MongoOperators merged = merged().marks(plan.operations());
    if (upsert) {
      merged.onInsert(run.names().birth(), MongoValues.mark(run.call().token()));
    }
    return attempt(update(conditional(tests), merged, upsert), upsert);
  }

  private MongoOperators merged() {
    return new MongoOperators(run.registry()).nativeUpdate(operators);
  }

  private List<BsonDocument> conditional(List<BsonDocument> tests) {
    List<BsonDocument> all = new ArrayList<>(tests);
    if (condition != null) {
      all.add(condition);
    }
    return all;
  }

  private @Nullable BsonDocument update(
      List<BsonDocument> tests, MongoOperators merged, boolean upsert) {
    boolean after = run.change().returns();
    FindOneAndUpdateOptions options =
        new FindOneAndUpdateOptions()
            .upsert(upsert)
            .arrayFilters(arrayFilters.isEmpty() ? null : arrayFilters)
            .projection(projection(after))
            .returnDocument(after ? ReturnDocument.AFTER : ReturnDocument.BEFORE);
    return run.transport().writes().findOneAndUpdate(run.filter(tests), merged.render(), options);
  }

  /** Whole documents where the server evaluates no expressions. */
  private @Nullable BsonDocument projection(boolean after) {
    if (!run.transport().hasPipelines()) {
      return null;
    }
    MongoLook look = new MongoLook(run.call(), run.message(), run.names(), run.registry());
    boolean ids = run.context().mapping().carriesMarks();
    BsonDocument projection =
        (after ? look.after() : look)
            .projection(
                BsonBoolean.TRUE,
                MongoExpressions.literal(new BsonInt32(-1)),
                run.change().returns(),
                ids);
    return run.transport().measuring(projection, run.names());
  }

  private Attempt<T> attempt(@Nullable BsonDocument image, boolean upsert) {
    if (image == null && !upsert) {
      return Attempt.refused(look());
    }
    if (image == null) {
      run.flagFullAfter(0);
      return Attempt.applied(run.applied(null, true, Map.of()));
    }
    if (run.transport().hasPipelines() && !image.containsKey(MongoLook.RESULT)) {
      return withoutAnswers(image);
    }
    MongoStored<T> stored = stored(image);
    run.flagFullAfter(stored.sources());
    Map<String, Object> marks = stored.found().marks();
    if (!run.change().returns()) {
      return Attempt.applied(run.applied(null, false, marks));
    }
    boolean created = run.call().token().equals(marks.get(run.names().birth()));
    return Attempt.applied(run.call().applied(stored.found().entity(), created, marks));
  }

  /** A server that evaluates no projections gives the id alone; else the reply was lost before. */
  private Attempt<T> withoutAnswers(BsonDocument image) {
    if (image.size() > 1) {
      return Attempt.applied(MongoImages.replayed(run, image));
    }
    run.transport().lacksPipelines();
    return Attempt.refused(look());
  }

  private MongoStored<T> stored(BsonDocument image) {
    if (image.containsKey(MongoLook.RESULT)) {
      return MongoImages.stored(run, image, null);
    }
    run.transport().lacksPipelines();
    return MongoOperatorForm.stored(run, image);
  }

  @Override
  public MongoStored<T> look() {
    List<BsonDocument> read = new ArrayList<>();
    BsonDocument projection = projection(false);
    read.add(
        projection == null
            ? new BsonDocument("$limit", new BsonInt32(1))
            : new BsonDocument("$project", projection));
    BsonDocument matching =
        new BsonDocument("$match", condition == null ? new BsonDocument() : condition);
    BsonDocument only = new BsonDocument("$project", new BsonDocument("_id", new BsonInt32(1)));
    BsonDocument facets =
        new BsonDocument("stored", new BsonArray(read))
            .append("matching", new BsonArray(List.of(matching, only)));
    List<BsonDocument> pipeline =
        List.of(new BsonDocument("$match", run.id()), new BsonDocument("$facet", facets));
    BsonDocument result;
    try {
      result = MongoRetries.reading(() -> run.transport().reads().aggregate(pipeline).first());
    } catch (MongoCommandException e) {
      if (projection == null || !MongoErrors.isWithoutExpressions(e)) {
        throw e;
      }
      run.transport().lacksPipelines();
      if (run.transport().hasPipelines()) { // it did evaluate before: one of several servers
        throw e;
      }
      return look();
    }
    if (result == null || result.getArray("stored").isEmpty()) {
      return MongoStored.nothing();
    }
    return stored(result.getArray("stored").get(0).asDocument())
        .whereConditionIs(!result.getArray("matching").isEmpty());
  }

  @Override
  public Optional<Outcome<T>> informed(MongoStored<T> stored) {
    boolean deleted = stored.found().marks().containsKey(run.names().tombstone());
    List<Operation> marks = known(stored, run.informed(stored, run.change().retired()));
    MongoOperators merged = merged().marks(marks);
    List<BsonDocument> tests = MongoImages.unchanged(run, stored.found());
    if (deleted) {
      merged
          .unset(run.names().tombstone())
          .set(run.names().birth(), MongoValues.mark(run.call().token()));
    } else {
      tests = conditional(tests);
    }
    BsonDocument image = update(tests, merged, false);
    return image == null
        ? Optional.empty()
        : Optional.of(run.applied(entity(image), deleted, run.call().marks(stored.found())));
  }

  private @Nullable T entity(BsonDocument image) {
    if (!run.change().returns()) {
      return null;
    }
    return image.containsKey(MongoLook.RESULT) ? stored(image).found().entity() : run.entity(image);
  }

  private List<Operation> known(MongoStored<T> stored, List<Operation> marks) {
    BsonDocument read = run.context().records().nested(stored.found().marks());
    return MongoOperatorForm.known(
        new MongoStored<>(stored.found(), read, true, true, null, -1), marks);
  }

  /** Creates what is absent, or replaces the marks of a tombstone past its expiry. */
  Optional<Outcome<T>> create(MongoStored<T> stored) {
    MongoOperators merged = merged();
    BsonDocument marks = run.context().records().nested(run.newMarks());
    marks.forEach(merged::set);
    List<BsonDocument> tests = List.of(never());
    if (stored.found().exists()) {
      tests = MongoImages.unchanged(run, stored.found());
      stored.found().marks().keySet().stream()
          .map(name -> run.names().path(name).segments().get(0))
          .distinct()
          .filter(name -> !marks.containsKey(name))
          .forEach(merged::unset);
    }
    BsonDocument image = update(tests, merged, !stored.found().exists());
    boolean written = image != null || !stored.found().exists();
    return written
        ? Optional.of(run.applied(image == null ? null : entity(image), true, Map.of()))
        : Optional.empty();
  }

  /** Matches no document, so that an upsert inserts or finds the key taken. */
  private BsonDocument never() {
    return new BsonDocument(run.names().revision(), new BsonDocument("$in", new BsonArray()));
  }

  @Override
  public boolean skip(MongoStored<T> stored) {
    MongoOperators marks =
        new MongoOperators(run.registry()).marks(known(stored, run.skipping(stored)));
    BsonDocument filter = run.filter(MongoImages.unchanged(run, stored.found()));
    return run.transport().writes().updateOne(filter, marks.render()).getMatchedCount() > 0;
  }
}
