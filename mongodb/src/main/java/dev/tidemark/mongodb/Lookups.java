package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.all;
import static dev.tidemark.mongodb.Expressions.cond;
import static dev.tidemark.mongodb.Expressions.filter;
import static dev.tidemark.mongodb.Expressions.isArray;
import static dev.tidemark.mongodb.Expressions.literal;
import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Ids;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.Text;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one document, or of many in one find: all marks, but of the ids those that the messages
 * have, unless ids have to be moved; and the entity's fields where somebody needs them. Nothing
 * comes twice, since a reply takes no more bytes than a document has.
 */
final class Lookups<T> {
  private static final String MARKS = "_tidemark#marks";
  private static final String DOCUMENT = "_tidemark#document";
  private static final String FIELDS = "_tidemark#fields";

  /**
   * What one command has read.
   *
   * @param byId the images of those that are there, by the value of {@code _id}
   * @param byFilter whether the caller's own filter of the request that the read is about is false;
   *     null if it was not asked
   */
  private record Images(Map<Object, BsonDocument> byId, @Nullable Boolean byFilter) {}

  /** Ids of more are not sent with a read, for which they would be too large: it brings all. */
  private static final long MOST_CHARACTERS = 500_000;

  private final Context<T> context;
  private final Transport transport;

  Lookups(Context<T> context) {
    this.context = context;
    this.transport = context.transport();
  }

  /**
   * Reads for runs that wait for it, and tells them what was found. By the latest of their times
   * most ids have to be moved, so that none is left out.
   */
  void read(List<Runner<T>> runners, Deadlines deadlines) {
    List<List<Message>> messages = runners.stream().map(Runner::messages).toList();
    Instant latest =
        runners.stream().map(r -> r.run().now()).max(Comparator.naturalOrder()).orElseThrow();
    boolean documents = runners.stream().anyMatch(Runner::needsDocument);
    NativeWrite own = runners.size() == 1 ? runners.get(0).refusedByFilter() : null;
    Images images;
    try {
      images =
          deadlines.within(
              () ->
                  own == null
                      ? find(
                          runners.stream().map(Runner::key).toList(), messages, latest, documents)
                      : find(runners.get(0).key(), own, projection(messages, latest, documents)));
    } catch (RuntimeException e) {
      runners.forEach(runner -> runner.unread(e));
      return;
    }
    for (Runner<T> runner : runners) {
      StoredDocument<T> stored;
      try {
        stored = stored(runner.key(), images.byId(), runner.wantsEntity());
      } catch (RuntimeException e) { // a fault of this record alone
        runner.unread(e);
        continue;
      }
      runner.found(stored, images.byFilter());
    }
  }

  /** One read, for whoever only judges. */
  StoredDocument<T> look(EntityKey key, Message message, Instant now) {
    return stored(key, find(List.of(key), List.of(List.of(message)), now, true).byId(), false);
  }

  /** The images under the keys. */
  private Images find(
      List<EntityKey> keys, List<List<Message>> messages, Instant now, boolean documents) {
    Map<Object, BsonDocument> images = new HashMap<>();
    find(keys, projection(messages, now, documents), image -> images.put(id(image), image));
    return new Images(images, null);
  }

  /**
   * Reads under keys, which may be more than one command takes; not in a session, whose transaction
   * the refused command may have begun or ended.
   */
  private void find(List<EntityKey> keys, BsonDocument projection, Consumer<BsonDocument> each) {
    try {
      transport
          .reads()
          .find(query(keys))
          .projection(projection)
          .batchSize(keys.size() + 1) // all in the first reply
          .forEach(each);
    } catch (RuntimeException e) {
      int half = keys.size() / 2;
      if (half == 0 || transport.inSession() || Errors.kind(e) != Errors.Kind.TOO_LARGE) {
        throw e;
      }
      find(keys.subList(0, half), projection, each);
      find(keys.subList(half, keys.size()), projection, each);
    }
  }

  private static Object id(BsonDocument document) {
    return ReadRule.identity(Objects.requireNonNull(document.get("_id")));
  }

  /** The image of one, and in the same command whether the caller's own filter matches it. */
  private Images find(EntityKey key, NativeWrite own, BsonDocument projection) {
    BsonDocument read = new BsonDocument("$project", projection);
    BsonDocument only = new BsonDocument("$project", new BsonDocument("_id", new BsonInt32(1)));
    BsonArray matching = new BsonArray(List.of(new BsonDocument("$match", own.filter()), only));
    BsonDocument facets =
        new BsonDocument("stored", new BsonArray(List.of(read))).append("matching", matching);
    BsonDocument id = context.mapping().key(key);
    BsonDocument both =
        transport
            .reads()
            .aggregate(List.of(new BsonDocument("$match", id), new BsonDocument("$facet", facets)))
            .first();
    if (both == null || both.getArray("stored").isEmpty()) {
      return new Images(Map.of(), null);
    }
    BsonDocument image = both.getArray("stored").get(0).asDocument();
    return new Images(Map.of(id(id), image), both.getArray("matching").isEmpty());
  }

  private BsonDocument query(List<EntityKey> keys) {
    List<BsonDocument> ids = keys.stream().map(context.mapping()::key).toList();
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
    find(keys, projection, image -> revision(image).ifPresent(revisions::add));
    return revisions;
  }

  private Optional<Object> revision(BsonDocument image) {
    try {
      Found<T> found = new Found<>(true, context.markFields().flat(image), null);
      return Optional.ofNullable(found.revision(context.names()));
    } catch (CorruptRecordException e) {
      return Optional.empty(); // whoever judges it tells
    }
  }

  /**
   * What is read of each entity.
   *
   * @param messages those of each; where there is room for the most that one has, there is for all
   */
  private BsonDocument projection(List<List<Message>> messages, Instant now, boolean documents) {
    Names names = context.names();
    BsonArray forms = new BsonArray();
    int most = 0;
    long characters = 0;
    for (List<Message> ofOne : messages) {
      int ids = 0;
      for (Message message : ofOne) {
        if (message instanceof MessageId id) {
          most = Math.max(most, ++ids);
          characters += id.value().length();
          Ids.allForms(id).forEach(form -> forms.addAll(Values.equals(Values.mark(form))));
        }
      }
    }
    boolean inDocument = documents && context.mapping().carriesMarks();
    if (characters > MOST_CHARACTERS) {
      forms.clear();
    }
    BsonDocument marks = inDocument ? new BsonDocument() : marks(most > 0, forms);
    BsonValue roomy =
        new Conditions(context.mapping().values())
            .render(Plan.roomFor(Math.max(1, most), context.tracking(), names, now));
    BsonDocument read =
        op("$let", new BsonDocument("vars", new BsonDocument("roomy", roomy)).append("in", marks));
    BsonDocument projection =
        new BsonDocument("_id", new BsonInt32(1))
            .append(MARKS, read)
            .append(FIELDS, fieldsOfTombstone());
    if (documents) {
      projection.append(DOCUMENT, entity(context));
    }
    return transport.measuring(projection, names);
  }

  private BsonDocument marks(boolean ofIds, BsonArray forms) {
    Names names = context.names();
    BsonDocument marks = new BsonDocument();
    List.of(names.revision(), names.birth(), names.tombstone(), MarkFields.sources(names))
        .forEach(name -> marks.append(name, value(name)));
    names.waiting().forEach(name -> marks.append(name, counted(name)));
    marks.append(names.outboxDue(), value(names.outboxDue()));
    if (ofIds) {
      marks.append(names.since(), value(names.since()));
      marks.append(names.closed(), value(names.closed()));
    }
    for (int slot = 0; ofIds && slot <= Names.CLOSED_SLOTS; slot++) {
      BsonValue all = value(names.ids(slot));
      marks.append(names.ids(slot), forms.isEmpty() ? all : reduced(all, forms));
    }
    return marks;
  }

  /** A list of messages that wait, of which their number is enough. */
  static BsonValue counted(String name) {
    BsonDocument each = new BsonDocument("input", value(name)).append("in", new BsonInt32(1));
    return cond(isArray(value(name)), op("$map", each), value(name));
  }

  /** The ids of a slot, without those that do not concern the messages where there is room. */
  private static BsonValue reduced(BsonValue slot, BsonArray forms) {
    BsonValue ours = filter(slot, op("$in", Expressions.THIS, literal(forms)));
    return cond(all(List.of(isArray(slot), new BsonString("$$roomy"))), ours, slot);
  }

  /** The names of all that is there, so that whoever creates the entity anew takes it away. */
  private BsonValue fieldsOfTombstone() {
    BsonValue fields = op("$objectToArray", Expressions.ROOT);
    BsonDocument named = new BsonDocument("input", fields).append("in", new BsonString("$$this.k"));
    BsonValue expiry = value(context.names().tombstone());
    return cond(op("$gt", expiry, BsonNull.VALUE), op("$map", named), Expressions.REMOVED);
  }

  private static BsonString value(String name) {
    return Expressions.value(Path.of(name));
  }

  /** The document, without what is large of its marks where the entity does not carry them. */
  static BsonValue entity(Context<?> context) {
    BsonValue document = Expressions.ROOT;
    for (String name : large(context)) {
      document = Operations.unset(name, document);
    }
    return document;
  }

  private static List<String> large(Context<?> context) {
    Names names = context.names();
    List<String> large = new ArrayList<>();
    if (!context.mapping().carriesMarks()) {
      for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
        large.add(names.ids(slot));
      }
      large.add(MarkFields.sources(names));
      large.addAll(names.waiting());
    }
    return large;
  }

  private StoredDocument<T> stored(
      EntityKey key, Map<Object, BsonDocument> images, boolean wantsEntity) {
    BsonDocument image = images.get(id(context.mapping().key(key)));
    if (image == null) {
      return StoredDocument.nothing(context, key);
    }
    transport.saw(image);
    if (!image.containsKey(MARKS)) {
      throw Errors.withoutPipelines(null);
    }
    BsonDocument document = image.getDocument(DOCUMENT, new BsonDocument());
    boolean inDocument = image.containsKey(DOCUMENT) && context.mapping().carriesMarks();
    BsonDocument marks = inDocument ? document : image.getDocument(MARKS);
    T entity = wantsEntity ? context.mapping().liveIfMapped(document) : null;
    Found<T> found = new Found<>(true, context.markFields().flat(marks), entity);
    found.revision(context.names()); // a fault of this record alone
    BsonDocument known = image.containsKey(DOCUMENT) ? document : null;
    return new StoredDocument<>(context, key, found, known, marks, fields(image), false);
  }

  private static @Nullable Set<String> fields(BsonDocument image) {
    return image.containsKey(FIELDS)
        ? image.getArray(FIELDS).stream()
            .map(name -> name.asString().getValue())
            .collect(Collectors.toSet())
        : null;
  }

  /** The live entity under a key. */
  static <T> Optional<T> find(Context<T> context, EntityKey key) {
    BsonDocument filter = context.mapping().key(Text.given("key to find", key));
    BsonDocument document =
        context.transport().reads().find(filter).projection(projection(context)).first();
    try {
      return Optional.ofNullable(context.mapping().live(document));
    } catch (CorruptRecordException e) {
      throw Faults.withKey(e, key);
    }
  }

  /** A projection of the same, of which the sources stay. */
  static @Nullable BsonDocument projection(Context<?> context) {
    List<String> large = large(context);
    large.remove(MarkFields.sources(context.names()));
    BsonDocument projection = new BsonDocument();
    large.forEach(name -> projection.append(name, new BsonInt32(0)));
    return projection.isEmpty() ? null : projection;
  }
}
