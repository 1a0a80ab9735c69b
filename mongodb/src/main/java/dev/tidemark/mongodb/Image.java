package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.all;
import static dev.tidemark.mongodb.Expressions.cond;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Requirement;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The image after a blind write of one message: the marks that concern it, by plain inclusion, and
 * the truth of the caller's rule. It has the request's token if the write was made; else it is the
 * document as it was, and tells what refused the write.
 */
final class Image<T> {
  private static final BsonInt32 INCLUDED = new BsonInt32(1);

  private static final String IDS = "_tidemark#ids";
  static final String RULE = "_tidemark#rule";
  private static final String DOCUMENT = "_tidemark#document";

  private final Context<T> context;
  private final Request<T> request;
  private final Marking marking;
  private final Message message;
  private final Change change;

  Image(Context<T> context, Request<T> request) {
    this.context = context;
    this.request = request;
    this.marking = request.marking();
    this.message = marking.messages().get(0);
    this.change = Pipelines.change(request);
  }

  /** What to ask for. */
  BsonDocument projection() {
    BsonDocument projection = marks(request, context.names());
    BsonValue rule =
        change
            .condition()
            .<BsonValue>map(new Conditions(context.mapping().values())::render)
            .orElse(null);
    if (message instanceof MessageId) {
      projection.append(IDS, ids(request.rules().skipsOtherwise() ? null : rule));
    }
    if (rule != null) {
      projection.append(RULE, all(List.of(rule))); // a constant alone would leave the field out
    }
    return request.rules().returns()
        ? projection.append(DOCUMENT, Lookups.entity(context))
        : projection;
  }

  /**
   * Whether the id is known; all ids, not false, where they may have to be moved. An open document
   * whose guard refused the other form is read; a refusal that is recorded is not.
   */
  private BsonValue ids(@Nullable BsonValue rule) {
    Conditions guards = Conditions.ofAnyForm(context, message);
    IdPolicy policy = context.tracking().messageIds();
    BsonValue fresh = guards.slots();
    if (policy.keptFor().isEmpty() && policy.last() == 0) {
      Condition inForm = Plan.roomFor(1, context.tracking(), context.names(), marking.now());
      Condition stay = request.rules().skipsOtherwise() ? inForm : marking.open().or(inForm);
      fresh = cond(guards.render(stay), BsonBoolean.FALSE, fresh);
    }
    fresh = rule == null ? fresh : cond(rule, fresh, BsonBoolean.FALSE);
    return cond(guards.known(), BsonBoolean.TRUE, fresh);
  }

  /** What an image says. */
  Reply<T> reply(@Nullable BsonDocument image) {
    if (image == null) {
      return new Reply.Refused<>(StoredDocument.nothing(context, marking.key()), null);
    }
    context.transport().saw(image);
    try {
      return read(image);
    } catch (CorruptRecordException e) { // a read tells of the record
      return new Reply.Refused<>(null, null);
    }
  }

  private Reply<T> read(BsonDocument image) {
    Map<String, Object> marks = marks(image);
    if (marks == null) {
      return new Reply.Refused<>(null, null);
    }
    // Where the driver has sent the command again, the server gives the image that it kept, whole.
    BsonDocument document = image.getDocument(DOCUMENT, image);
    T entity = request.rules().returns() ? context.mapping().liveIfMapped(document) : null;
    Found<T> found = new Found<>(true, marks, entity);
    Names names = context.names();
    if (marking.token().equals(found.revision(names))) {
      boolean created = marking.token().equals(marks.get(names.birth()));
      return new Reply.Accepted<>(created, entity, marks, -1);
    }
    boolean ruled = !image.getBoolean(RULE, BsonBoolean.TRUE).getValue();
    if (!ruled && Requirement.of(request).passes(found)) {
      return new Reply.Refused<>(null, null); // by the shape
    }
    StoredDocument<T> stored =
        new StoredDocument<>(context, marking.key(), found, null, new BsonDocument(), null, true);
    return new Reply.Refused<>(stored, ruled);
  }

  /** Flat marks; null where the server did not say what it was asked of the id. */
  private @Nullable Map<String, Object> marks(BsonDocument image) {
    Names names = context.names();
    Map<String, Object> marks = new LinkedHashMap<>(context.markFields().flat(image));
    BsonValue ids = image.get(IDS);
    boolean ours = marking.token().equals(new Found<>(true, marks, null).revision(names));
    if (ours || !(message instanceof MessageId id)) {
      return marks;
    }
    if (ids == null) {
      return null;
    }
    if (ids.isArray()) {
      put(marks, ids.asArray());
    } else if (ids.asBoolean().getValue()) {
      marks.put(names.ids(0), new LinkedHashSet<>(Set.of(id.value())));
    }
    return marks;
  }

  private void put(Map<String, Object> marks, BsonArray slots) {
    BsonDocument stored = new BsonDocument();
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      BsonValue ids = slots.get(slot);
      if (!ids.isNull()) {
        stored.append(context.names().ids(slot), ids);
      }
    }
    marks.putAll(context.markFields().flat(stored));
  }

  /**
   * The marks that concern the message of a request, by plain inclusion, which costs a server next
   * to nothing; those of all sources where they are to be counted; of a message ID without its
   * slots.
   */
  static BsonDocument marks(Request<?> request, Names names) {
    BsonDocument projection = new BsonDocument("_id", new BsonInt32(0));
    for (String name : List.of(names.revision(), names.birth(), names.tombstone())) {
      projection.append(name, INCLUDED);
    }
    if (request.marking().publishes()) {
      projection.append(names.outbox(), Lookups.counted(names.outbox()));
    }
    Message message = request.marking().messages().get(0);
    if (!(message instanceof SourceEvent event)) {
      return projection.append(names.since(), INCLUDED).append(names.closed(), INCLUDED);
    }
    if (request.countsSources() && request.effect() instanceof Effect.Own) {
      return projection.append(MarkFields.sources(names), INCLUDED);
    }
    for (String mark : names.marks(event.source())) {
      projection.append(mark, INCLUDED); // flat names are dotted paths
    }
    return projection;
  }
}
