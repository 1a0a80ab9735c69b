package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.all;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.literal;
import static dev.tidemark.mongodb.MongoExpressions.op;

import dev.tidemark.Condition;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The small form of a portable write without a read. The image after it, with the marks as they are
 * stored, has this call's token if the write was made; else it is the image before, and the kernel
 * says what refused it. Where the kernel finds nothing, a larger form has to tell. On a tombstone
 * the same command records an event of a dense source, under the recorder's token.
 */
final class MongoPipelineBlind<T> {
  private final MongoRun<T> run;
  private final MongoGuardExpressions guards;
  private final @Nullable BsonValue condition;
  private final @Nullable TrackedCall recorder;

  MongoPipelineBlind(MongoRun<T> run) {
    this.run = run;
    this.guards = new MongoGuardExpressions(run.context(), List.of(run.message()));
    this.recorder = run.call().recorder(run.change()).orElse(null);
    this.condition =
        run.change()
            .condition()
            .<BsonValue>map(new MongoConditions(run.registry())::render)
            .orElse(null);
  }

  /** What lets the write be made; the marks alone where a tombstone would record the message. */
  List<BsonValue> tests(BsonValue shape) {
    Condition guard = run.call().blind(Set.of()).guard();
    if (recorder != null) {
      return List.of(guards.render(guard));
    }
    List<BsonValue> tests = new ArrayList<>();
    tests.add(guards.render(guard.and(run.call().live())));
    return others(tests, shape);
  }

  private List<BsonValue> others(List<BsonValue> tests, BsonValue shape) {
    if (condition != null) {
      tests.add(condition);
    }
    tests.add(shape);
    return tests;
  }

  /** The document after the tests: changed, or a tombstone that recorded, or as it was before. */
  BsonValue after(BsonValue shape, BsonValue changed, BsonValue before) {
    TrackedCall records = recorder;
    if (records == null) {
      return changed;
    }
    List<BsonValue> tests = new ArrayList<>();
    tests.add(guards.render(run.call().live()));
    BsonValue until = MongoConditions.value(Path.of(run.names().tombstone()));
    BsonValue next = MongoRecords.expiry(run.call().now().getEpochSecond() + 1);
    BsonValue deleted = op("$gte", until, literal(next));
    List<Operation> marks = records.blind(Set.of()).operations();
    BsonValue recorded = new MongoOperations(run.registry()).marks(marks).render();
    BsonValue otherwise = cond(deleted, recorded, before);
    return cond(all(others(tests, shape)), changed, otherwise);
  }

  /** Marks; the condition's truth where there is one; the document where it is asked for. */
  BsonDocument projection() {
    Message message = run.message();
    BsonDocument projection = MongoRawMarks.projection(message, run.names());
    if (message instanceof MessageId) {
      projection.append(MongoLook.MARKS_OF_ID, ids());
    }
    if (condition != null) {
      projection.append(MongoLook.RESULT, all(List.of(condition))); // a constant would exclude
    }
    return run.change().returns()
        ? projection.append(MongoLook.DOCUMENT, MongoLook.document(run.context()))
        : projection;
  }

  /** Whether the id is known; all ids instead of false where they may have to be moved. */
  private BsonValue ids() {
    dev.tidemark.IdPolicy policy = run.context().tracking().messageIds();
    if (policy.keptFor().isEmpty() && policy.last() == 0) {
      return guards.known();
    }
    BsonValue fresh =
        condition == null ? guards.ids() : cond(condition, guards.ids(), BsonBoolean.FALSE);
    return cond(guards.known(), BsonBoolean.TRUE, fresh);
  }

  /** What the image says; null where it does not say why the write was refused. */
  MongoForm.@Nullable Attempt<T> attempt(BsonDocument image) {
    Map<String, Object> marks = marks(image);
    if (marks == null) {
      return null;
    }
    BsonDocument document = image.getDocument(MongoLook.DOCUMENT, image);
    Found<T> found = new Found<>(true, marks, run.change().returns() ? run.entity(document) : null);
    if (run.call().token().equals(found.revision(run.names()))) {
      return MongoForm.Attempt.applied(run.call().<T>settle(found).orElseThrow());
    }
    boolean passes =
        condition == null || image.getBoolean(MongoLook.RESULT, BsonBoolean.TRUE).getValue();
    boolean accepts = run.call().acceptsBlindly(run.call().marks(found));
    MongoStored<T> stored = new MongoStored<>(found, document, accepts, passes, null, -1);
    return isExplained(stored) ? MongoForm.Attempt.refused(stored) : null;
  }

  private boolean isExplained(MongoStored<T> stored) {
    Found<T> found = stored.found();
    if (run.isSkipped(found) || run.call().settle(found).isPresent() || isMissing(found)) {
      return true;
    }
    boolean live = found.state(run.names(), run.call().now()) == Found.State.LIVE;
    boolean counted = !run.change().skipsOtherwise() || isKnown(found);
    if (live && (!stored.condition() || stored.accepts())) {
      return !stored.condition() && counted;
    }
    return isKnown(found);
  }

  /** Whether a record of the message brings no new source, so that there is none to count. */
  private boolean isKnown(Found<T> found) {
    return !(run.message() instanceof SourceEvent event)
        || run.names().marks(event.source()).stream().anyMatch(found.marks()::containsKey);
  }

  /**
   * Whether existence alone decides; a record on a tombstone has to know of the bound of sources.
   */
  private boolean isMissing(Found<T> found) {
    return run.call().existence(found, run.change()).isPresent()
        && run.call().recorder(found, run.change()).isEmpty();
  }

  /** Flat marks; null where the server did not say what it was asked of the id. */
  private @Nullable Map<String, Object> marks(BsonDocument image) {
    Map<String, Object> marks = new LinkedHashMap<>(run.context().records().flat(image));
    BsonValue ids = image.get(MongoLook.MARKS_OF_ID);
    boolean ours = run.call().token().equals(marks.get(run.names().revision()));
    if (ours || !(run.message() instanceof MessageId id)) {
      return marks;
    }
    if (ids == null) {
      return null;
    }
    if (ids.isArray()) {
      put(marks, ids.asArray());
    } else if (ids.asBoolean().getValue()) {
      marks.put(run.names().ids(0), new LinkedHashSet<>(Set.of(id.value())));
    }
    return marks;
  }

  private void put(Map<String, Object> marks, BsonArray slots) {
    BsonDocument stored = new BsonDocument();
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      BsonValue ids = slots.get(slot);
      if (!ids.isNull()) {
        stored.append(run.names().ids(slot), ids);
      }
    }
    marks.putAll(run.context().records().flat(stored));
  }
}
