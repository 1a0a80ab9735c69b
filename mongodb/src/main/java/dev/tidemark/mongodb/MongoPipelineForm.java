package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.all;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.literal;

import com.mongodb.MongoCommandException;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.Path;
import dev.tidemark.SourceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A portable change as one pipeline update: one {@code $cond} around the whole, so that nothing is
 * touched where the guard, the condition or the shape says no. A small form comes first; where its
 * image leaves open which of them did, a larger one answers all questions.
 */
final class MongoPipelineForm<T> implements MongoForm<T> {
  private final MongoRun<T> run;
  private final MongoShapes shapes;
  private boolean asks;

  MongoPipelineForm(MongoRun<T> run) {
    this.run = run;
    this.shapes = new MongoShapes(run.change().operations(), run.context());
    this.asks = run.context().tracking().maxSources() == 1 || run.transport().isMeasuring();
  }

  private MongoLook questions() {
    return new MongoLook(run.call(), run.message(), run.names(), run.registry());
  }

  private BsonValue condition() {
    return new MongoConditions(run.registry())
        .render(run.change().condition().orElse(Condition.always()));
  }

  @Override
  public Attempt<T> blind() {
    if (asks) {
      return asking();
    }
    Attempt<T> attempt = small();
    return attempt == null ? asking() : attempt;
  }

  /** The small form; null where it is not known what refused it. */
  private @Nullable Attempt<T> small() {
    boolean upsert = run.createsBlindly();
    MongoPipelineBlind<T> small = new MongoPipelineBlind<>(run);
    FindOneAndUpdateOptions options =
        new FindOneAndUpdateOptions()
            .upsert(upsert)
            .projection(small.projection())
            .returnDocument(ReturnDocument.AFTER);
    BsonDocument image;
    try {
      BsonValue shape = shapes.small();
      BsonValue after = small.after(shape, operations(upsert).render(), before(upsert));
      image = update(run.filter(List.of()), small.tests(shape), after, options);
    } catch (MongoCommandException e) {
      if (MongoErrors.kind(e) != MongoErrors.Kind.REFUSED && !MongoErrors.isOfExpression(e)) {
        throw e;
      }
      return null;
    }
    run.transport().hasAnswered();
    return image == null ? Attempt.refused(MongoStored.nothing()) : small.attempt(image);
  }

  private MongoOperations operations(boolean upsert) {
    MongoOperations operations =
        new MongoOperations(run.registry())
            .change(run.change().operations())
            .marks(run.call().blind(run.change().retired()).operations());
    if (upsert) {
      BsonValue token = literal(MongoValues.mark(run.call().token()));
      operations.set(
          run.names().birth(), cond(MongoRefusal.isNew(run.id()), token, MongoExpressions.REMOVED));
    }
    return operations;
  }

  /** The form that answers all questions. */
  private Attempt<T> asking() {
    asks = true;
    boolean upsert = run.createsBlindly();
    MongoOperations operations = operations(upsert);
    if (run.message() instanceof SourceEvent event) {
      operations.set(
          run.names().full(),
          MongoSources.flag(List.of(event.source()), run.names(), run.call().flaggedFrom()));
    }
    List<BsonValue> tests = List.of(questions().guard(), condition(), shapes.test());
    try {
      return attempt(update(run.filter(List.of()), tests, operations, upsert), upsert);
    } catch (MongoCommandException e) {
      if (MongoErrors.kind(e) == MongoErrors.Kind.REFUSED) {
        return Attempt.refused(look());
      }
      if (MongoErrors.isOfExpression(e)) {
        look(); // marks that are no documents are a fault of the record
      }
      throw e;
    }
  }

  private @Nullable BsonDocument update(
      BsonDocument filter, List<BsonValue> tests, MongoOperations operations, boolean upsert) {
    FindOneAndUpdateOptions options =
        new FindOneAndUpdateOptions()
            .upsert(upsert)
            .projection(projection(run.change().returns()))
            .returnDocument(run.change().returns() ? ReturnDocument.AFTER : ReturnDocument.BEFORE);
    return update(filter, tests, operations, options);
  }

  private @Nullable BsonDocument update(
      BsonDocument filter,
      List<BsonValue> tests,
      MongoOperations operations,
      FindOneAndUpdateOptions options) {
    return update(filter, tests, operations.render(), options);
  }

  private @Nullable BsonDocument update(
      BsonDocument filter,
      List<BsonValue> tests,
      BsonValue after,
      FindOneAndUpdateOptions options) {
    BsonValue before = before(options.isUpsert());
    return run.transport()
        .detecting(
            detection -> {
              List<BsonValue> all = new ArrayList<>(detection);
              all.addAll(tests);
              BsonValue replaced = cond(all(all), after, before);
              List<BsonDocument> pipeline = List.of(new BsonDocument("$replaceWith", replaced));
              return run.transport().writes().findOneAndUpdate(filter, pipeline, options);
            });
  }

  /** The document as it was; an upsert would insert a key alone. */
  private BsonValue before(boolean upsert) {
    return upsert
        ? cond(MongoRefusal.isNew(run.id()), MongoRefusal.raised(), MongoExpressions.ROOT)
        : MongoExpressions.ROOT;
  }

  private BsonDocument projection(boolean document) {
    boolean ids = run.context().mapping().carriesMarks();
    return run.transport()
        .measuring(
            questions().projection(condition(), shapes.firstUnmet(), document, ids), run.names());
  }

  private Attempt<T> attempt(@Nullable BsonDocument image, boolean upsert) {
    if (image == null) {
      return upsert
          ? Attempt.applied(run.applied(null, true, Map.of()))
          : Attempt.refused(MongoStored.nothing());
    }
    if (!image.containsKey(MongoLook.RESULT)) {
      return Attempt.applied(MongoImages.replayed(run, image));
    }
    MongoStored<T> stored = stored(image);
    if (run.change().returns()) {
      // The image after: settled by the token that it carries, or as it was before.
      return Attempt.refused(stored);
    }
    Map<String, Object> marks = stored.found().marks();
    return stored.wasApplied()
        ? Attempt.applied(run.applied(null, false, marks))
        : Attempt.refused(stored);
  }

  private MongoStored<T> stored(BsonDocument image) {
    return MongoImages.stored(run, image, shapes);
  }

  @Override
  public MongoStored<T> look() {
    boolean document = run.change().returns();
    BsonDocument image =
        MongoRetries.reading(
            () ->
                run.transport()
                    .reads()
                    .find(run.filter(List.of()))
                    .projection(projection(document))
                    .first());
    return image == null ? MongoStored.nothing() : stored(image);
  }

  @Override
  public Optional<Outcome<T>> informed(MongoStored<T> stored) {
    boolean deleted = stored.found().marks().containsKey(run.names().tombstone());
    List<Operation> marks = run.informed(stored, run.change().retired());
    if (deleted) {
      marks.add(new Operation.Remove(Path.of(run.names().tombstone())));
      marks.add(new Operation.Assign(Path.of(run.names().birth()), run.call().token()));
    }
    MongoOperations operations =
        new MongoOperations(run.registry()).change(run.change().operations()).marks(marks);
    List<BsonValue> tests = deleted ? List.of() : List.of(condition(), shapes.test());
    return write(stored, tests, operations)
        .filter(image -> deleted || passed(image) || asksNext())
        .map(image -> run.applied(entity(image), deleted, run.call().marks(stored.found())));
  }

  /** Of the image after; whole where the server kept it of a write whose reply was lost. */
  private @Nullable T entity(BsonDocument image) {
    if (!run.change().returns()) {
      return null;
    }
    return image.containsKey(MongoLook.RESULT) ? stored(image).found().entity() : run.entity(image);
  }

  private boolean passed(BsonDocument image) {
    if (!image.containsKey(MongoLook.RESULT)) {
      return true;
    }
    MongoStored<T> stored = stored(image);
    return run.change().returns()
        ? run.call().token().equals(stored.found().revision(run.names()))
        : stored.condition() && stored.unmet() == null;
  }

  /** A small form did not say whether the change fits: the next round asks. */
  private boolean asksNext() {
    asks = true;
    return false;
  }

  private Optional<BsonDocument> write(
      MongoStored<T> stored, List<BsonValue> tests, MongoOperations operations) {
    BsonDocument filter = run.filter(MongoImages.unchanged(run, stored.found()));
    return Optional.ofNullable(update(filter, tests, operations, false));
  }

  @Override
  public boolean skip(MongoStored<T> stored) {
    MongoOperations operations = new MongoOperations(run.registry()).marks(run.skipping(stored));
    return write(stored, List.of(), operations).isPresent();
  }
}
