package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.all;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.filter;
import static dev.tidemark.mongodb.MongoExpressions.isArray;
import static dev.tidemark.mongodb.MongoExpressions.literal;
import static dev.tidemark.mongodb.MongoExpressions.op;

import dev.tidemark.Key;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.Write;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Ids;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads of many documents in one find, each reduced to what its messages need to be judged: of the
 * ids, those that the batch has, unless they have to be rewritten.
 */
final class MongoLookups<T> {
  private final MongoContext<T> context;
  private final BsonArray forms = new BsonArray();
  private final int most;

  /**
   * Prepares reads for a batch.
   *
   * @param writes all its writes
   */
  MongoLookups(MongoContext<T> context, List<Write<T>> writes) {
    this.context = context;
    Map<Key, Integer> ids = new HashMap<>();
    for (Write<T> write : writes) {
      if (write.message() instanceof MessageId id) {
        ids.merge(write.key(), 1, Integer::sum);
        Ids.allForms(id).forEach(form -> forms.addAll(MongoValues.equals(MongoValues.mark(form))));
      }
    }
    this.most = ids.values().stream().mapToInt(count -> count).max().orElse(0);
  }

  /** What is stored under each fold's key; null where the server evaluates no expressions. */
  @Nullable Function<MongoFold<T>, MongoStored<T>> read(List<MongoFold<T>> folds) {
    boolean documents = folds.stream().anyMatch(MongoFold::needsDocument);
    Map<Object, BsonDocument> images = new HashMap<>();
    for (BsonDocument image : find(folds, documents)) {
      if (!image.containsKey(MongoLook.RESULT)) {
        context.transport().lacksPipelines();
        return null;
      }
      context.transport().hasAnswered();
      context.transport().saw(image);
      images.put(comparable(Objects.requireNonNull(image.get("_id"))), image);
    }
    return fold -> {
      BsonDocument image = images.get(comparable(context.keys().id(fold.key())));
      return image == null ? MongoStored.nothing() : stored(image, fold.needsDocument());
    };
  }

  private List<BsonDocument> find(List<MongoFold<T>> folds, boolean documents) {
    BsonArray keys = new BsonArray();
    folds.forEach(fold -> keys.add(context.keys().document(fold.key())));
    boolean routed = keys.stream().anyMatch(key -> key.asDocument().size() > 1);
    List<BsonValue> ids = keys.stream().map(key -> key.asDocument().get("_id")).toList();
    BsonDocument query =
        routed
            ? new BsonDocument("$or", keys)
            : new BsonDocument("_id", new BsonDocument("$in", new BsonArray(ids)));
    return MongoRetries.persistently(
        () ->
            context
                .transport()
                .reads()
                .find(query)
                .projection(projection(documents, latest(folds)))
                .batchSize(folds.size() + 1) // all in the first reply
                .into(new java.util.ArrayList<>()));
  }

  /** The latest of their times, at which every id that one of them has to move is still read. */
  private static <T> Instant latest(List<MongoFold<T>> folds) {
    return folds.stream().map(MongoFold::now).max(Comparator.naturalOrder()).orElseThrow();
  }

  private BsonDocument projection(boolean documents, Instant now) {
    Names names = context.names();
    boolean wholeIds = context.mapping().carriesMarks();
    BsonDocument marks = new BsonDocument();
    BsonDocument variables = new BsonDocument("roomy", roomy(now));
    List.of(
            names.revision(),
            names.birth(),
            names.tombstone(),
            names.full(),
            MongoSources.field(names))
        .forEach(name -> marks.append(name, value(name)));
    if (most > 0) {
      marks.append(names.since(), value(names.since()));
      marks.append(names.closed(), value(names.closed()));
    }
    BsonValue document = MongoExpressions.ROOT;
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      String name = names.ids(slot);
      if (most > 0) {
        BsonValue ours = filter(value(name), op("$in", MongoExpressions.THIS, literal(forms)));
        BsonValue reduced = all(List.of(isArray(value(name)), new BsonString("$$roomy")));
        marks.append(name, cond(reduced, ours, value(name)));
      }
      document = wholeIds ? document : MongoOperations.unset(name, document);
    }
    BsonDocument result = op("$let", new BsonDocument("vars", variables).append("in", marks));
    BsonDocument projection =
        context
            .transport()
            .measuring(
                new BsonDocument("_id", new BsonInt32(1)).append(MongoLook.RESULT, result), names);
    return documents ? projection.append(MongoLook.DOCUMENT, document) : projection;
  }

  /** Whether no ids have to be rewritten for as many as one entity gets. */
  private BsonValue roomy(Instant now) {
    return new MongoConditions(context.registry())
        .render(Plan.roomFor(Math.max(1, most), context.tracking(), context.names(), now));
  }

  private static BsonString value(String name) {
    return MongoConditions.value(Path.of(name));
  }

  private MongoStored<T> stored(BsonDocument image, boolean needsEntity) {
    BsonDocument result = image.getDocument(MongoLook.RESULT);
    Map<String, Object> marks = context.records().flat(result);
    new Found<>(true, marks, null).revision(context.names()); // a fault of this record alone
    BsonDocument document = image.getDocument(MongoLook.DOCUMENT, new BsonDocument());
    boolean live = needsEntity && !document.isEmpty() && !context.records().isDeleted(document);
    T entity = live ? context.mapping().entityIfMapped(document) : null;
    Found<T> found = new Found<>(true, marks, entity);
    return new MongoStored<>(found, document, true, true, null, -1);
  }

  /** Equal for keys that MongoDB takes for equal. */
  private static Object comparable(BsonValue id) {
    if (id.isDocument()) {
      return id.asDocument().values().stream()
          .map(MongoLookups::comparable)
          .collect(Collectors.toList());
    }
    Object value = MongoValues.decode(id);
    return value instanceof Number number
        ? Evaluator.exact(number).stripTrailingZeros()
        : List.of(id.getBsonType(), value);
  }
}
