package dev.tidemark.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadConcernLevel;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Path;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Observation;
import dev.tidemark.metrics.MarkCost;
import dev.tidemark.metrics.StoreCall;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One collection as tracked calls use it: writes wait for a majority, reads see what a majority
 * has, and what the server can do is learnt from its answers.
 */
final class Transport {
  private static final long LIMIT = 16 * 1024 * 1024L;
  private static final String BYTES = "_tidemark#bytes";
  private static final String MARK_BYTES = "_tidemark#markBytes";

  /** What the length and the end of a document take. */
  private static final long FRAME = 5;

  private static final System.Logger LOGGER = System.getLogger(MongoEntityStore.class.getName());

  /** The builtin variable is not available: the server is no member of a replica set. */
  private static final int NO_CLUSTER_TIME = 51144;

  private static final String ANSWER = "answer";

  private static final String LOST_REPLIES =
      "Lost replies are told by the attempt token; majority is what this one server promises.";

  /** Each holds a connection of the client's pool, which other calls need too. */
  private static final int MOST_STREAMS = 8;

  /** One document, whatever the collection has; an error on a server without retryable writes. */
  private static final List<BsonDocument> QUESTION =
      documents(
          """
          [{$limit: 1},
           {$facet: {none: [{$limit: 1}]}},
           {$project: {answer: {$let: {
             vars: {}, in: {$eq: [{$type: '$$CLUSTER_TIME'}, 'timestamp']}}}}}]""");

  private final MongoCollection<BsonDocument> writes;
  private final MongoCollection<BsonDocument> reads;
  private final Server server;
  private final @Nullable Observation observation;
  private final boolean inSession;

  /** What is known of the server, and used of it, by all calls of a store. */
  private static final class Server {
    private volatile boolean evaluates;
    private volatile boolean retries = true;
    private final Semaphore streams = new Semaphore(MOST_STREAMS);
    private volatile boolean streamless;
  }

  Transport(MongoCollection<?> collection, boolean allowWeaker) {
    if (!allowWeaker) {
      requireMajority(collection);
    }
    MongoCollection<BsonDocument> documents = OwnCollection.decoded(collection, BsonDocument.class);
    this.server = new Server();
    this.observation = null;
    this.inSession = false;
    WriteConcern given = collection.getWriteConcern();
    this.writes = documents.withWriteConcern(isGiven(given) ? given : WriteConcern.MAJORITY);
    ReadConcern concern = collection.getReadConcern();
    this.reads =
        documents
            .withReadPreference(ReadPreference.primary())
            .withReadConcern(concern.getLevel() == null ? ReadConcern.MAJORITY : concern);
  }

  /** The same collection for one call, whose commands are counted. */
  Transport(Transport shared, Observation observation) {
    this.writes = shared.writes;
    this.reads = shared.reads;
    this.server = shared.server;
    this.observation = observation;
    this.inSession = shared.inSession;
  }

  /** The same collection in a transaction. */
  Transport(Transport shared, ClientSession session) {
    this.writes = SessionBound.of(shared.writes, session);
    this.reads = SessionBound.of(shared.reads, session);
    this.server = shared.server;
    this.observation = null;
    this.inSession = true;
  }

  /**
   * Whether the commands are those of a transaction. There a refusal by the server would abort the
   * transaction, so each write is made over what was read in it; and an error has aborted it.
   */
  boolean inSession() {
    return inSession;
  }

  /** Stages of an aggregation, as they are written in the shell. */
  static List<BsonDocument> documents(String json) {
    return BsonArray.parse(json).stream().map(BsonValue::asDocument).toList();
  }

  /** The collection's name. */
  String name() {
    return reads.getNamespace().getFullName();
  }

  private static boolean isGiven(WriteConcern concern) {
    return concern.getWObject() != null || concern.getJournal() != null;
  }

  private static void requireMajority(MongoCollection<?> collection) {
    WriteConcern writing = collection.getWriteConcern();
    boolean weak =
        isGiven(writing)
            && (!"majority".equals(writing.getWObject())
                || Boolean.FALSE.equals(writing.getJournal()));
    ReadConcernLevel reading = collection.getReadConcern().getLevel();
    if (weak || reading == ReadConcernLevel.LOCAL || reading == ReadConcernLevel.AVAILABLE) {
      throw new IllegalArgumentException(
          "collection "
              + collection.getNamespace().getFullName()
              + " asks for "
              + (weak ? "write concern " + writing : "read concern " + reading)
              + "; less than majority can take back what was Applied: leave it at its default, or "
              + "say allowWeakerConcern()");
    }
  }

  /** For one command that writes. */
  MongoCollection<BsonDocument> writes() {
    if (observation != null) {
      observation.write();
    }
    return writes;
  }

  /** For one command that reads. */
  MongoCollection<BsonDocument> reads() {
    countRead();
    return reads;
  }

  /** Counts one command that reads. */
  void countRead() {
    if (observation != null) {
      observation.read();
    }
  }

  /** Whether somebody wants to know how large documents are. */
  boolean measures() {
    return observation != null;
  }

  /** Adds to a projection, where somebody listens, how large the document and its marks are. */
  BsonDocument measuring(BsonDocument projection, Names names) {
    if (observation == null) {
      return projection;
    }
    BsonDocument marks = new BsonDocument();
    for (String name : MarkFields.all(names)) {
      marks.append(name, Expressions.value(Path.of(name)));
    }
    return projection
        .append("_id", new BsonInt32(1))
        .append(BYTES, Expressions.op("$bsonSize", Expressions.ROOT))
        .append(MARK_BYTES, Expressions.op("$bsonSize", marks));
  }

  /** Takes from a document that came back what {@link #measuring} asked for. */
  void saw(BsonDocument image) {
    BsonValue id = image.get("_id");
    boolean measured = image.isNumber(BYTES) && image.isNumber(MARK_BYTES);
    if (observation != null && id != null && measured) {
      long marks = image.getNumber(MARK_BYTES).longValue() - FRAME;
      long bytes = image.getNumber(BYTES).longValue();
      observation.size(id, new StoreCall.Size(bytes, LIMIT, MarkCost.stored(marks)));
    }
  }

  /** Whether an answer may be that of the driver's second attempt, as far as is known. */
  boolean mayHideAttempt(RuntimeException e) {
    return server.retries && Errors.mayHideAttempt(e);
  }

  /**
   * Asks the server whether it has retryable writes, as members of a replica set do. Of a
   * collection that is not there yet it says nothing.
   *
   * @throws IllegalStateException if it does not evaluate the question
   */
  void learn() {
    try {
      BsonDocument answer = reads().aggregate(QUESTION).first();
      if (answer != null && !answer.containsKey(ANSWER)) {
        throw Errors.withoutPipelines(null);
      }
      server.evaluates = answer != null;
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != NO_CLUSTER_TIME) {
        throw Errors.isWithoutPipelines(e) ? Errors.withoutPipelines(e) : e;
      }
      server.evaluates = true;
      server.retries = false;
      say("has no retryable writes, since it is no member of a replica set", LOST_REPLIES);
    }
  }

  /** Notes that the server has evaluated an expression, as it then always does. */
  void hasEvaluated() {
    server.evaluates = true;
  }

  /** Whether the server is known to evaluate expressions, as updates by pipelines want. */
  boolean evaluates() {
    return server.evaluates;
  }

  /**
   * Asks for one of the few change streams at a time. A client with a timeout of its own gets none:
   * the driver would not send how long to wait.
   *
   * @return whether it may be opened, and then has to be ended
   */
  boolean startsStream() {
    boolean timed = reads.getTimeout(TimeUnit.MILLISECONDS) != null;
    return !server.streamless && !timed && server.streams.tryAcquire();
  }

  void endsStream() {
    server.streams.release();
  }

  /** Notes why a change stream could not be opened, if that is for good. */
  void failedStream(RuntimeException e) {
    synchronized (server) {
      if (!server.streamless && Errors.isWithoutStreams(e)) {
        server.streamless = true;
        say(
            "gives no change streams (error " + ((MongoException) e).getCode() + ")",
            "Reads that wait for a message look again after pauses.");
      }
    }
  }

  private void say(String what, String therefore) {
    LOGGER.log(
        System.Logger.Level.WARNING,
        "The server of collection {0} {1}. {2}",
        name(),
        what,
        therefore);
  }
}
