package dev.tidemark.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Tells whether a collection is of the kind that tracked writes and records need, by what every
 * reader may ask: the collection's default collation stands in the index of {@code _id}, and the
 * statistics say whether it is capped or a time series.
 */
final class CollectionKind {
  private static final String COLLATION = "collation";
  private static final String STATISTICS = "storageStats";
  private static final String CAPPED = "capped";
  private static final String TIME_SERIES = "timeseries";

  private static final int NO_SUCH_COLLECTION = 26;
  private static final int IS_VIEW = 166;

  /** From services that have neither this stage nor such collections. */
  private static final int UNKNOWN_STAGE = 40324;

  private static final List<BsonDocument> QUESTION =
      Transport.documents(
          """
          [{$collStats: {storageStats: {}}},
           {$project: {'storageStats.capped': 1, 'storageStats.timeseries': 1}}]""");

  private static final System.Logger LOGGER = System.getLogger(CollectionKind.class.getName());

  private final MongoCollection<?> collection;

  private CollectionKind(MongoCollection<?> collection) {
    this.collection = collection.withReadPreference(ReadPreference.primary());
  }

  /**
   * Asks the server for the kind of a collection.
   *
   * @throws IllegalArgumentException if tracked writes cannot be trusted there, or the server does
   *     not say
   */
  static void requirePlain(MongoCollection<?> collection) {
    CollectionKind kind = new CollectionKind(collection);
    kind.require(kind::untold);
  }

  /**
   * The same for records, of which the user has nothing to say: where the server does not tell,
   * that is logged.
   *
   * @throws IllegalStateException if records cannot be kept there
   */
  static void requirePlainIfTold(MongoCollection<?> collection) {
    CollectionKind kind = new CollectionKind(collection);
    try {
      kind.require(kind::logged);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private void require(Function<MongoCommandException, List<BsonDocument>> untold) {
    asked(this::indexes, untold).forEach(this::requireSimple);
    asked(this::statistics, untold).forEach(this::requireKept);
  }

  private List<BsonDocument> indexes() {
    return collection.listIndexes(BsonDocument.class).into(new ArrayList<>());
  }

  private List<BsonDocument> statistics() {
    return collection
        .withReadConcern(ReadConcern.DEFAULT)
        .aggregate(QUESTION, BsonDocument.class)
        .into(new ArrayList<>());
  }

  /** The answer; empty where there is nothing yet. */
  private List<BsonDocument> asked(
      Supplier<List<BsonDocument>> question,
      Function<MongoCommandException, List<BsonDocument>> untold) {
    try {
      return question.get();
    } catch (MongoCommandException e) {
      int code = e.getErrorCode();
      if (code == NO_SUCH_COLLECTION || code == UNKNOWN_STAGE) {
        return List.of();
      }
      if (code == IS_VIEW) {
        throw refused("is a view; write to the collection behind it");
      }
      if (!Errors.isLasting(e)) {
        throw e;
      }
      return untold.apply(e);
    }
  }

  private List<BsonDocument> untold(MongoCommandException e) {
    throw new IllegalArgumentException(untoldBy(e) + ", or say assumePlainCollection()", e);
  }

  private List<BsonDocument> logged(MongoCommandException e) {
    LOGGER.log(System.Logger.Level.WARNING, untoldBy(e) + "; it is taken for a plain one");
    return List.of();
  }

  private String untoldBy(MongoCommandException e) {
    return text(
        "does not tell its kind to this client (error "
            + e.getErrorCode()
            + "); allow the client's user the actions listIndexes and collStats");
  }

  private void requireSimple(BsonDocument index) {
    if (!index.getString("name", new BsonString("")).getValue().equals("_id_")
        || !index.isDocument(COLLATION)) {
      return;
    }
    BsonDocument collation = index.getDocument(COLLATION);
    String locale = collation.getString("locale", new BsonString("")).getValue();
    if (!locale.equals("simple")) {
      String strength =
          collation.isNumber("strength")
              ? " of strength " + collation.getNumber("strength").intValue()
              : "";
      throw refused(
          "compares strings by the default collation '"
              + locale
              + "'"
              + strength
              + ", under which different keys or message IDs may be equal; create it without a"
              + " collation, and give queries and indexes one of their own");
    }
  }

  private void requireKept(BsonDocument shard) {
    BsonDocument statistics = shard.getDocument(STATISTICS, new BsonDocument());
    if (statistics.getBoolean(CAPPED, BsonBoolean.FALSE).getValue()) {
      throw refused("is capped, and drops its oldest documents; use a plain one");
    }
    if (statistics.containsKey(TIME_SERIES)) {
      throw refused("is a time series, whose documents cannot be changed one by one");
    }
  }

  private IllegalArgumentException refused(String why) {
    return new IllegalArgumentException(text(why));
  }

  private String text(String what) {
    return "collection " + collection.getNamespace().getFullName() + " " + what;
  }
}
