package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What documents and projections that came back say. */
final class MongoImages {
  private MongoImages() {}

  /** What a projection of {@link MongoLook} says. */
  static <T> MongoStored<T> stored(
      MongoRun<T> run, BsonDocument image, @Nullable MongoShapes shapes) {
    run.transport().hasAnswered();
    run.transport().saw(image);
    BsonDocument answers = image.getDocument(MongoLook.RESULT);
    BsonDocument document = image.getDocument(MongoLook.DOCUMENT, new BsonDocument());
    Map<String, Object> marks = run.context().records().flat(answers.getDocument(MongoLook.MARKS));
    int unmet = answers.getNumber(MongoLook.UNMET).intValue();
    return new MongoStored<>(
        new Found<>(true, marks, run.entity(document)),
        document,
        answers.getBoolean(MongoLook.ACCEPTS).getValue(),
        answers.getBoolean(MongoLook.CONDITION).getValue(),
        unmet < 0 || shapes == null ? null : shapes.unmet(unmet),
        answers.getNumber(MongoLook.SOURCES).intValue(),
        run.context().records().nulls(answers.getDocument(MongoLook.MARKS)));
  }

  /**
   * The outcome of an applied write whose reply was lost: where the driver sends the command again,
   * the server answers with the whole image that it kept of the first time.
   */
  static <T> Outcome<T> replayed(MongoRun<T> run, BsonDocument image) {
    Map<String, Object> marks = run.context().records().flat(image);
    if (!run.change().returns()) {
      return run.applied(null, false, marks);
    }
    boolean created = run.call().token().equals(marks.get(run.names().birth()));
    return run.call().applied(run.entity(image), created, marks);
  }

  /** The filters of a write that is made only if nothing tracked was written since. */
  static List<BsonDocument> unchanged(MongoRun<?> run, Found<?> found) {
    return unchanged(run.context(), run.call(), found);
  }

  /** The same for what a marking writes; an explicit null counts as missing. */
  static List<BsonDocument> unchanged(MongoContext<?> context, Marking marking, Found<?> found) {
    Names names = context.names();
    MongoFilters filters = new MongoFilters(context.registry());
    BsonDocument same =
        found.revision(names) == null
            ? new BsonDocument(names.revision(), BsonNull.VALUE)
            : filters.render(marking.unchangedSince(found));
    boolean deleted = found.marks().containsKey(names.tombstone());
    BsonValue none = BsonNull.VALUE;
    BsonValue state = deleted ? new BsonDocument("$ne", none) : none;
    return List.of(same, new BsonDocument(names.tombstone(), state));
  }

  /**
   * Records the message on the tombstone that was found, where that is to be done.
   *
   * @param change what the call does with a deleted entity
   * @param missing what the call says of it
   * @return empty if another write came between
   */
  static <T> Optional<Outcome<T>> missing(
      MongoRun<T> run, MongoStored<T> stored, Change change, Outcome<T> missing) {
    TrackedCall recorder = run.call().recorder(stored.found(), change).orElse(null);
    if (recorder == null) {
      return Optional.of(missing);
    }
    if (!stored.nulls().isEmpty()) {
      dropNulls(run, stored);
      return Optional.empty();
    }
    BsonDocument read = run.context().records().nested(stored.found().marks());
    MongoStored<T> known = new MongoStored<>(stored.found(), read, true, true, null, -1);
    List<Operation> marks = MongoOperatorForm.known(known, run.recording(recorder, stored));
    BsonDocument record = new MongoOperators(run.registry()).marks(marks).render();
    BsonDocument filter = run.filter(unchanged(run.context(), run.call(), stored.found()));
    boolean recorded = run.transport().writes().updateOne(filter, record).getMatchedCount() > 0;
    return recorded ? Optional.of(missing) : Optional.empty();
  }

  /** Drops nulls that stand for marks: they mean nothing, but operators stumble over them. */
  static void dropNulls(MongoRun<?> run, MongoStored<?> stored) {
    BsonDocument filter = run.filter(List.of()).clone();
    BsonDocument unset = new BsonDocument();
    for (String path : stored.nulls()) {
      filter.append(path, BsonNull.VALUE);
      unset.append(path, new BsonString(""));
    }
    run.transport().writes().updateOne(filter, new BsonDocument("$unset", unset));
  }
}
