package dev.tidemark.mongodb;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.ReadConcern;
import com.mongodb.ReadConcernLevel;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.kernel.Names;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * One collection as tracked calls use it: writes wait for a majority, reads see what a majority
 * has, and what the server can do is learnt from its first answers.
 */
sealed class MongoTransport permits MongoObserved {
  private static final System.Logger LOGGER = System.getLogger(MongoEntityStore.class.getName());

  /** The builtin variable is not available: the server is no member of a replica set. */
  private static final int NO_CLUSTER_TIME = 51144;

  private static final String LOST_REPLIES =
      "Lost replies are told by the attempt token; majority is what this one server promises.";

  /** Each holds a connection of the client's pool, which other calls need too. */
  private static final int MOST_STREAMS = 8;

  /** Evaluates to true, except on a server without retryable writes, where it is an error. */
  private static final BsonValue IS_REPLICATED =
      MongoExpressions.typeIs(new BsonString("$$CLUSTER_TIME"), "timestamp");

  private final MongoCollection<BsonDocument> writes;
  private final MongoCollection<BsonDocument> reads;
  private final Server server;

  /** What is known of the server, and used of it, by all calls of a store. */
  private static final class Server {
    private volatile boolean pipelines = true;
    private volatile boolean answered;
    private volatile boolean asked;
    private volatile boolean retries = true;
    private final Semaphore streams = new Semaphore(MOST_STREAMS);
    private volatile boolean streamless;
  }

  MongoTransport(MongoCollection<?> collection, boolean allowWeaker) {
    if (!allowWeaker) {
      requireMajority(collection);
    }
    MongoCollection<BsonDocument> documents =
        collection
            .withDocumentClass(BsonDocument.class)
            .withCodecRegistry(MongoClientSettings.getDefaultCodecRegistry());
    this.server = new Server();
    WriteConcern given = collection.getWriteConcern();
    this.writes = documents.withWriteConcern(isGiven(given) ? given : WriteConcern.MAJORITY);
    ReadConcern concern = collection.getReadConcern();
    this.reads =
        documents
            .withReadPreference(ReadPreference.primary())
            .withReadConcern(concern.getLevel() == null ? ReadConcern.MAJORITY : concern);
  }

  /** The same collection, for one call. */
  MongoTransport(MongoTransport all) {
    this.writes = all.writes;
    this.reads = all.reads;
    this.server = all.server;
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
              + name(collection.getNamespace())
              + " asks for "
              + (weak ? "write concern " + writing : "read concern " + reading)
              + "; less than majority can take back what was Applied: leave it at its default, or "
              + "say allowWeakerConcern()");
    }
  }

  private static String name(MongoNamespace namespace) {
    return namespace.getFullName();
  }

  /** For one command that writes. */
  MongoCollection<BsonDocument> writes() {
    return writes;
  }

  /** For one bulk of writes, which is a command for each kind of them. */
  MongoCollection<BsonDocument> writes(List<? extends WriteModel<BsonDocument>> bulk) {
    return writes;
  }

  /** For one command that reads. */
  MongoCollection<BsonDocument> reads() {
    return reads;
  }

  /** Notes that a change stream was asked for more. */
  void asksStream() {}

  /** Adds to a projection, where somebody wants to know, how large the document is. */
  BsonDocument measuring(BsonDocument projection, Names names) {
    return projection;
  }

  /** Whether somebody wants to know how large documents are, so that writes have to bring them. */
  boolean isMeasuring() {
    return false;
  }

  /** Takes from a document that came back what {@link #measuring} asked for. */
  void saw(BsonDocument image) {}

  /** Whether the server takes pipelines as updates, as far as is known. */
  boolean hasPipelines() {
    return server.pipelines;
  }

  /** Whether an answer may be that of the driver's second attempt, as far as is known. */
  boolean mayHideAttempt(RuntimeException e) {
    return server.retries && MongoErrors.mayHideAttempt(e);
  }

  /** Notes that the server evaluated expressions in a projection, as it then always does. */
  void hasAnswered() {
    server.answered = true;
  }

  /** Whether the server is known to evaluate expressions. */
  boolean evaluates() {
    return server.answered && server.pipelines;
  }

  /** Notes that the server does not evaluate expressions where MongoDB does. */
  void lacksPipelines() {
    if (server.pipelines && !server.answered) {
      server.pipelines = false;
      server.retries = false;
      say("has neither pipeline updates nor retryable writes", LOST_REPLIES);
    }
  }

  /**
   * Runs a command with an expression that tells a server without retryable writes, until that is
   * known.
   */
  @Nullable BsonDocument detecting(Function<List<BsonValue>, @Nullable BsonDocument> command) {
    if (server.asked) {
      return command.apply(List.of());
    }
    try {
      BsonDocument result = command.apply(List.of(IS_REPLICATED));
      server.asked = result != null || server.asked;
      return result;
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != NO_CLUSTER_TIME) {
        throw e;
      }
      server.asked = true;
      server.retries = false;
      say("has no retryable writes, since it is no member of a replica set", LOST_REPLIES);
      return command.apply(List.of());
    }
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
      if (!server.streamless && MongoErrors.isWithoutStreams(e)) {
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
        name(writes.getNamespace()),
        what,
        therefore);
  }
}
