package dev.tidemark.mongodb;

import dev.tidemark.Condition;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Found;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
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
        answers.getNumber(MongoLook.SOURCES).intValue());
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
    MongoFilters filters = new MongoFilters(run.registry());
    boolean deleted = found.marks().containsKey(run.names().tombstone());
    Condition live = run.call().live();
    return List.of(
        filters.render(run.call().unchangedSince(found)),
        filters.render(deleted ? live.not() : live));
  }
}
