package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * One call with all that its writes need.
 *
 * @param context the store
 * @param message the delivery
 * @param key the entity
 * @param change what to change; of a native update, all but the operators
 * @param call the kernel's side of it
 * @param skip the same for the record of a refused message, which has a token of its own
 * @param id {@code _id} and routing fields
 */
record MongoRun<T>(
    MongoContext<T> context,
    Message message,
    Key key,
    Change change,
    TrackedCall call,
    Skip skip,
    BsonDocument id) {

  /** Made for the few calls that need it. For one thread. */
  static final class Skip {
    private @Nullable TrackedCall call;
  }

  static <T> MongoRun<T> of(MongoContext<T> context, Message message, Key key, Change change) {
    TrackedCall call =
        new TrackedCall(message, key, context.tracking(), context.names(), context.clock());
    BsonDocument id = context.keys().document(key);
    call.erasesItsMark(change.retired(), false);
    return new MongoRun<>(context, message, key, change, call, new Skip(), id);
  }

  CodecRegistry registry() {
    return context.registry();
  }

  Names names() {
    return context.names();
  }

  MongoTransport transport() {
    return context.transport();
  }

  BsonDocument filter(List<BsonDocument> more) {
    return context.keys().filter(key, more);
  }

  /**
   * Checks that the key is not taken by a document with other routing fields.
   *
   * @throws InvalidChangeException if it is
   */
  void requireRouting() {
    BsonDocument idAlone = new BsonDocument("_id", id.get("_id"));
    boolean elsewhere =
        id.size() > 1
            && MongoRetries.reading(() -> transport().reads().find(idAlone).first()) != null
            && MongoRetries.reading(() -> transport().reads().find(id).first()) == null;
    if (elsewhere) {
      throw new InvalidChangeException(
          "the entity has other values in its routing fields", key, null);
    }
  }

  /** Whether a blind write may create the document: only where nothing but a race can refuse it. */
  boolean createsBlindly() {
    return change.creates()
        && call.acceptsBlindly(Map.of())
        && call.settle(Found.nothing()).isEmpty()
        && change.condition().map(c -> Evaluator.test(c, Map.of())).orElse(true)
        && fitsNothing();
  }

  private boolean fitsNothing() {
    boolean nested = change.operations().stream().anyMatch(o -> o.path().segments().size() > 1);
    boolean ofKey =
        change
            .condition()
            .map(condition -> MongoConditions.touches(condition, id.keySet()))
            .orElse(false);
    return !nested && !ofKey;
  }

  /** The entity in a document for an outcome, null for a deleted one or what cannot be mapped. */
  @Nullable T entity(BsonDocument document) {
    return isLive(document) ? context.mapping().entityIfMapped(document) : null;
  }

  /**
   * The entity in a document for whoever needs it, null for a deleted one.
   *
   * @throws dev.tidemark.CorruptRecordException if it cannot be mapped
   */
  @Nullable T requiredEntity(BsonDocument document) {
    return isLive(document) ? context.mapping().entity(document) : null;
  }

  private boolean isLive(BsonDocument document) {
    return !document.isEmpty() && !context.records().isDeleted(document);
  }

  /** The outcome of a write over marks that were read. */
  Outcome<T> applied(@Nullable T entity, boolean created, Map<String, Object> marksBefore) {
    boolean event = message instanceof SourceEvent;
    return call.applied(entity, created, event ? call.marksAfter(marksBefore) : Map.of());
  }

  /** Sets the flag where it is due after a write: sources before it, -1 if the source was known. */
  void flagFullAfter(int sourcesBefore) {
    if (sourcesBefore >= 0 && call.mustFlagFull(sourcesBefore + 1, false)) {
      flagFull();
    }
  }

  /** Says in the document that no further source fits. */
  void flagFull() {
    MongoOperators flag = new MongoOperators(registry());
    flag.set(names().full(), MongoValues.mark(true));
    transport().writes().updateOne(id, flag.render());
  }

  /**
   * Whether the server's filters compare the message's position exactly: MongoDB's do,
   * mongo-java-server's as far as a double reaches.
   */
  boolean comparesExactly() {
    return transport().hasPipelines()
        || !(message instanceof SourceEvent event)
        || !(event.position() instanceof Position.Numeric number)
        || number.value().bitLength() <= 53;
  }

  /** Tracking's operations of a writer that has read the marks. */
  List<Operation> informed(MongoStored<T> stored, Set<Source> retired) {
    return informed(call, stored, retired);
  }

  /** The same of one that records a refused message alone. */
  List<Operation> skipping(MongoStored<T> stored) {
    TrackedCall by = skip.call == null ? call.another() : skip.call;
    skip.call = by;
    return informed(by, stored, Set.of());
  }

  /** Tracking's operations of one that records an event on the tombstone that was read. */
  List<Operation> recording(TrackedCall recorder, MongoStored<T> stored) {
    return informed(recorder, stored, Set.of());
  }

  /** Whether the last write is this call's record of a refused message. */
  boolean isSkipped(Found<?> found) {
    return skip.call != null && skip.call.token().equals(found.revision(names()));
  }

  private List<Operation> informed(TrackedCall by, MongoStored<T> stored, Set<Source> retired) {
    return by.informed(by.marks(stored.found()), retired, stored.sources());
  }

  /** The marks of a document that is new, by flat name. */
  Map<String, Object> newMarks() {
    Map<String, Object> marks = call.marksWritten(Map.of());
    change.retired().forEach(source -> names().marks(source).forEach(marks::remove));
    marks.put(names().birth(), call.token());
    return marks;
  }
}
