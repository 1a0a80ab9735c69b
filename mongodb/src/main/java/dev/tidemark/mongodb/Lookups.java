package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.all;
import static dev.tidemark.mongodb.Expressions.cond;
import static dev.tidemark.mongodb.Expressions.filter;
import static dev.tidemark.mongodb.Expressions.isArray;
import static dev.tidemark.mongodb.Expressions.literal;
import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.MongoCommandException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Ids;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import dev.tidemark.mongodb.MongoNativeUpdate.NativeWrite;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one document, or of many in one find: all marks, but of the ids those that the messages
 * have, unless ids have to be moved; and the entity's fields where somebody needs them.
 */
final class Lookups<T> {
  private static final String MARKS = "_tidemark#marks";
  private static final String DOCUMENT = "_tidemark#document";

  private final Context<T> context;

  Lookups(Context<T> context) {
    this.context = context;
  }

  /** Reads for runs that wait for it, and tells them what was found. */
  void read(List<Runner<T>> runners) {
    try {
      Map<Object, BsonDocument> images = images(runners);
      if (!images.values().stream().allMatch(this::isAnswered)) {
        images = images(runners);
      }
      for (Runner<T> runner : runners) {
        found(runner, images.get(comparable(id(runner))));
      }
    } catch (RuntimeException e) {
      runners.forEach(runner -> runner.unread(e));
    }
  }

  private Map<Object, BsonDocument> images(List<Runner<T>> runners) {
    NativeWrite own = runners.size() == 1 ? runners.get(0).refusedByFilter() : null;
    if (own == null) {
      return find(runners);
    }
    try {
      return find(runners.get(0), own);
    } catch (MongoCommandException e) {
      if (!Errors.isWithoutExpressions(e) || context.transport().evaluates()) {
        throw e;
      }
      context.transport().lacksPipelines();
      return find(runners.get(0), own);
    }
  }

  /** Notes what an image tells of the server; false if it has to be asked in another way. */
  private boolean isAnswered(BsonDocument image) {
    if (!context.transport().hasPipelines()) {
      return true;
    }
    boolean evaluated = image.containsKey(MARKS);
    if (evaluated) {
      context.transport().hasAnswered();
    } else {
      context.transport().lacksPipelines();
    }
    return evaluated;
  }

  private BsonValue id(Runner<T> runner) {
    return context.keys().id(runner.key());
  }

  private void found(Runner<T> runner, @Nullable BsonDocument image) {
    StoredDocument<T> stored;
    try {
      stored =
          image == null
              ? StoredDocument.nothing(context, runner.key())
              : stored(runner.key(), image, runner.wantsEntity());
    } catch (RuntimeException e) { // a fault of this record alone
      runner.unread(e);
      return;
    }
    runner.found(stored);
  }

  /** The images under the keys, by the value of {@code _id}. */
  private Map<Object, BsonDocument> find(List<Runner<T>> runners) {
    Map<Object, BsonDocument> images = new HashMap<>();
    context
        .transport()
        .reads()
        .find(query(runners.stream().map(Runner::key).toList()))
        .projection(projection(runners))
        .batchSize(runners.size() + 1) // all in the first reply
        .into(new ArrayList<>())
        .forEach(image -> images.put(comparable(Objects.requireNonNull(image.get("_id"))), image));
    return images;
  }

  /** The image of one, and in the same command whether the caller's own filter matches it. */
  private Map<Object, BsonDocument> find(Runner<T> runner, NativeWrite own) {
    BsonDocument projection = projection(List.of(runner));
    BsonDocument read =
        projection == null
            ? new BsonDocument("$limit", new BsonInt32(1))
            : new BsonDocument("$project", projection);
    BsonDocument only = new BsonDocument("$project", new BsonDocument("_id", new BsonInt32(1)));
    BsonArray matching = new BsonArray(List.of(new BsonDocument("$match", own.filter()), only));
    BsonDocument facets =
        new BsonDocument("stored", new BsonArray(List.of(read))).append("matching", matching);
    BsonDocument match = new BsonDocument("$match", context.keys().document(runner.key()));
    BsonDocument both =
        context
            .transport()
            .reads()
            .aggregate(List.of(match, new BsonDocument("$facet", facets)))
            .first();
    Map<Object, BsonDocument> images = new HashMap<>();
    if (both != null && !both.getArray("stored").isEmpty()) {
      runner.matches(!both.getArray("matching").isEmpty());
      images.put(comparable(id(runner)), both.getArray("stored").get(0).asDocument());
    }
    return images;
  }

  /**
   * What to read for all of them. By the latest time most ids have to be moved: none is left out.
   */
  private @Nullable BsonDocument projection(List<Runner<T>> runners) {
    List<Message> messages = runners.stream().flatMap(r -> r.messages().stream()).toList();
    Instant latest =
        runners.stream().map(r -> r.run().now()).max(Comparator.naturalOrder()).orElseThrow();
    return projection(messages, latest, runners.stream().anyMatch(Runner::needsDocument));
  }

  private BsonDocument query(List<EntityKey> keys) {
    List<BsonDocument> ids = keys.stream().map(context.keys()::document).toList();
    boolean routed = ids.stream().anyMatch(id -> id.size() > 1);
    if (ids.size() == 1) {
      return ids.get(0);
    }
    List<BsonValue> values = ids.stream().map(id -> id.get("_id")).toList();
    return routed
        ? new BsonDocument("$or", new BsonArray(ids))
        : new BsonDocument("_id", new BsonDocument("$in", new BsonArray(values)));
  }

  /** The revisions of entities, each the token of the write that was made last. */
  Set<Object> revisions(List<EntityKey> keys) {
    BsonDocument projection = new BsonDocument(context.names().revision(), new BsonInt32(1));
    Set<Object> revisions = new HashSet<>();
    context
        .transport()
        .reads()
        .find(query(keys))
        .projection(projection)
        .batchSize(keys.size() + 1)
        .forEach(image -> revision(image).ifPresent(revisions::add));
    return revisions;
  }

  private Optional<Object> revision(BsonDocument image) {
    try {
      Found<T> found = new Found<>(true, context.records().flat(image), null);
      return Optional.ofNullable(found.revision(context.names()));
    } catch (CorruptRecordException e) {
      return Optional.empty(); // whoever judges it tells
    }
  }

  /** One look, for whoever only judges. */
  StoredDocument<T> look(EntityKey key, Message message, Instant now) {
    BsonDocument image = look(key, projection(List.of(message), now, true));
    if (image != null && !isAnswered(image)) {
      image = look(key, null);
    }
    return image == null ? StoredDocument.nothing(context, key) : stored(key, image, false);
  }

  private @Nullable BsonDocument look(EntityKey key, @Nullable BsonDocument projection) {
    return context
        .transport()
        .reads()
        .find(context.keys().document(key))
        .projection(projection)
        .first();
  }

  /** Whole documents from servers that evaluate no expressions. */
  private @Nullable BsonDocument projection(
      List<Message> messages, Instant now, boolean documents) {
    if (!context.transport().hasPipelines()) {
      return null;
    }
    Names names = context.names();
    BsonArray forms = new BsonArray();
    int ids = 0;
    for (Message message : messages) {
      if (message instanceof MessageId id) {
        ids++;
        Ids.allForms(id).forEach(form -> forms.addAll(Values.equals(Values.mark(form))));
      }
    }
    BsonDocument marks = new BsonDocument();
    List.of(names.revision(), names.birth(), names.tombstone(), MarkFields.sources(names))
        .forEach(name -> marks.append(name, value(name)));
    if (ids > 0) {
      marks.append(names.since(), value(names.since()));
      marks.append(names.closed(), value(names.closed()));
    }
    for (int slot = 0; ids > 0 && slot <= Names.CLOSED_SLOTS; slot++) {
      String name = names.ids(slot);
      BsonValue ours = filter(value(name), op("$in", Expressions.THIS, literal(forms)));
      BsonValue reduced = all(List.of(isArray(value(name)), new BsonString("$$roomy")));
      marks.append(name, cond(reduced, ours, value(name)));
    }
    BsonValue roomy =
        new Conditions(context.registry())
            .render(Plan.roomFor(Math.max(1, ids), context.tracking(), names, now));
    BsonDocument read =
        op("$let", new BsonDocument("vars", new BsonDocument("roomy", roomy)).append("in", marks));
    BsonDocument projection = new BsonDocument("_id", new BsonInt32(1)).append(MARKS, read);
    if (documents) {
      projection.append(DOCUMENT, withoutIds(context));
    }
    return context.transport().measuring(projection, names);
  }

  private static BsonString value(String name) {
    return Expressions.value(Path.of(name));
  }

  /** The document without the ids, where the entity does not carry them. */
  static BsonValue withoutIds(Context<?> context) {
    BsonValue document = Expressions.ROOT;
    if (!context.mapping().carriesMarks()) {
      for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
        document = Operations.unset(context.names().ids(slot), document);
      }
    }
    return document;
  }

  private StoredDocument<T> stored(EntityKey key, BsonDocument image, boolean wantsEntity) {
    context.transport().saw(image);
    boolean whole = !image.containsKey(MARKS);
    BsonDocument read = whole ? image : image.getDocument(MARKS);
    BsonDocument document = whole ? image : image.getDocument(DOCUMENT, new BsonDocument());
    Map<String, Object> marks = context.records().flat(read);
    T entity = wantsEntity ? entity(context, document) : null;
    Found<T> found = new Found<>(true, marks, entity);
    found.revision(context.names()); // a fault of this record alone
    List<String> nulls = context.records().nulls(read);
    boolean known = whole || image.containsKey(DOCUMENT);
    return new StoredDocument<>(context, key, found, known ? document : null, false, null, nulls);
  }

  /** Equal for keys that MongoDB takes for equal. */
  private static Object comparable(BsonValue id) {
    if (id.isDocument()) {
      return id.asDocument().values().stream()
          .map(Lookups::comparable)
          .collect(Collectors.toList());
    }
    Object value = Values.decode(id);
    return value instanceof Number number
        ? Evaluator.exact(number).stripTrailingZeros()
        : List.of(id.getBsonType(), value);
  }

  /** The live entity under a key. */
  static <T> Optional<T> find(Context<T> context, EntityKey key) {
    BsonDocument filter = context.keys().document(key);
    BsonDocument document =
        context.transport().reads().find(filter).projection(leavingOutIds(context)).first();
    try {
      return Optional.ofNullable(required(context, document));
    } catch (CorruptRecordException e) {
      throw Faults.withKey(e, key);
    }
  }

  /** A projection of the document without ids, where the entity does not carry them. */
  static @Nullable BsonDocument leavingOutIds(Context<?> context) {
    if (context.mapping().carriesMarks()) {
      return null;
    }
    BsonDocument projection = new BsonDocument();
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      projection.append(context.names().ids(slot), new BsonInt32(0));
    }
    return projection;
  }

  /** The entity in a document for an outcome, null for a deleted one or what cannot be mapped. */
  static <T> @Nullable T entity(Context<T> context, BsonDocument document) {
    return isLive(context, document) ? context.mapping().entityIfMapped(document) : null;
  }

  /** The entity for whoever needs it, null for a deleted one. */
  static <T> @Nullable T required(Context<T> context, @Nullable BsonDocument document) {
    return document != null && isLive(context, document)
        ? context.mapping().entity(document)
        : null;
  }

  private static boolean isLive(Context<?> context, BsonDocument document) {
    return !document.isEmpty() && !context.records().isDeleted(document);
  }
}
