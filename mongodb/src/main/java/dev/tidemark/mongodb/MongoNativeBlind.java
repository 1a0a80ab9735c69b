package dev.tidemark.mongodb;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import dev.tidemark.EventPolicy;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The small form of a native write without a read: that it matched is all that Applied takes, so an
 * image is asked for only where the outcome has what no one else knows.
 */
final class MongoNativeBlind<T> {
  private final MongoRun<T> run;
  private final MongoOperators merged;
  private final List<BsonDocument> conditions;
  private final List<BsonDocument> arrayFilters;
  private final Plan plan;
  private final boolean upsert;

  /**
   * Prepares a write.
   *
   * @param merged the caller's operators, to which the marks are added
   * @param conditions the caller's filters
   */
  MongoNativeBlind(
      MongoRun<T> run,
      MongoOperators merged,
      List<BsonDocument> conditions,
      List<BsonDocument> arrayFilters) {
    this.run = run;
    this.conditions = conditions;
    this.arrayFilters = arrayFilters;
    this.plan = run.call().blind(run.change().retired());
    this.upsert = run.createsBlindly();
    this.merged = merged.marks(plan.operations());
    if (upsert) {
      merged.onInsert(run.names().birth(), MongoValues.mark(run.call().token()));
    }
  }

  /** Writes; null if nothing matched. */
  @Nullable Outcome<T> outcome() {
    if (run.change().returns()) {
      return returning();
    }
    return run.change().retired().isEmpty() && setsItsMark() ? withoutImage() : withMarks();
  }

  /** Whether the mark after the write is the message's own position, or there is none to tell. */
  private boolean setsItsMark() {
    if (!(run.message() instanceof SourceEvent event)) {
      return true;
    }
    EventPolicy.Kind kind = run.context().tracking().events(event.source().type()).kind();
    boolean single = kind == EventPolicy.Kind.DROP_LATE || kind == EventPolicy.Kind.CONTIGUOUS;
    return single && run.context().tracking().maxSources() > 1;
  }

  private @Nullable List<BsonDocument> namedFilters() {
    return arrayFilters.isEmpty() ? null : arrayFilters;
  }

  private BsonDocument filter(BsonDocument guard) {
    List<BsonDocument> further = new ArrayList<>(MongoOperatorForm.floors(plan.operations()));
    further.addAll(conditions);
    BsonDocument filter = run.filter(further);
    guard.forEach((name, test) -> MongoGuards.merge(filter, name, test));
    return filter;
  }

  private @Nullable Outcome<T> withoutImage() {
    BsonDocument guard = MongoGuards.beforeTheLast(run, plan.guard().and(run.call().live()));
    UpdateOptions options = new UpdateOptions().upsert(upsert).arrayFilters(namedFilters());
    UpdateResult result =
        run.transport().writes().updateOne(filter(guard), merged.render(), options);
    boolean created = result.getUpsertedId() != null;
    return created || result.getMatchedCount() > 0
        ? run.call().applied(null, created, assigned())
        : null;
  }

  /** What the write sets of the marks, by flat name. */
  private Map<String, Object> assigned() {
    Map<String, Object> assigned = new LinkedHashMap<>();
    for (Operation operation : plan.operations()) {
      if (operation instanceof Operation.Assign assign) {
        assigned.put(MongoNames.dotted(assign.path()), assign.value());
      }
    }
    return assigned;
  }

  private @Nullable BsonDocument update(FindOneAndUpdateOptions options) {
    BsonDocument guard = MongoGuards.of(run, plan.guard().and(run.call().live()));
    return run.transport()
        .writes()
        .findOneAndUpdate(
            filter(guard), merged.render(), options.upsert(upsert).arrayFilters(namedFilters()));
  }

  /** The marks before, of which those after follow. */
  private @Nullable Outcome<T> withMarks() {
    BsonDocument projection = MongoRawMarks.projection(run.message(), run.names());
    if (run.message() instanceof SourceEvent event) {
      projection.append(MongoLook.SOURCES, MongoSources.ifNew(event.source(), run.names()));
    }
    BsonDocument image =
        update(
            new FindOneAndUpdateOptions()
                .projection(projection)
                .returnDocument(ReturnDocument.BEFORE));
    if (image == null) {
      return upsert ? created() : null;
    }
    if (image.isNumber(MongoLook.SOURCES)) {
      run.flagFullAfter(image.getNumber(MongoLook.SOURCES).intValue());
    }
    return run.applied(null, false, run.context().records().flat(image));
  }

  private Outcome<T> created() {
    run.flagFullAfter(0);
    return run.applied(null, true, Map.of());
  }

  /** The document after, without the ids, which may be many. */
  private @Nullable Outcome<T> returning() {
    BsonDocument image =
        update(
            new FindOneAndUpdateOptions()
                .projection(MongoReads.withoutIds(run.context()))
                .returnDocument(ReturnDocument.AFTER));
    if (image == null) {
      return null;
    }
    Map<String, Object> marks = run.context().records().flat(image);
    boolean flagged = marks.containsKey(run.names().full());
    if (run.call().mustFlagFull(run.names().countSources(marks.keySet()), flagged)) {
      run.flagFull();
    }
    boolean created = run.call().token().equals(marks.get(run.names().birth()));
    return run.call().applied(run.entity(image), created, marks);
  }
}
