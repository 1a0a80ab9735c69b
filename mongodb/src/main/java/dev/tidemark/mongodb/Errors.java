package dev.tidemark.mongodb;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.TooLargeException;
import dev.tidemark.kernel.Faults;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.BsonMaximumSizeExceededException;
import org.jspecify.annotations.Nullable;

/** What the driver's exceptions mean for a tracked write, by code. */
final class Errors {
  /** The kinds of failure that a caller has to tell apart. */
  enum Kind {
    /** A guard inside a pipeline was false: nothing was written. */
    REFUSED,
    /** The key was taken: by another writer's create, or the guard of an upsert was false. */
    KEY_TAKEN,
    /** Other writers or throttling: nothing was written. */
    CONTENTION,
    /** No answer, or none that lasts: it may have been written. */
    UNCERTAIN,
    /** A limit of the server: nothing was written. */
    TOO_LARGE,
    /** Anything else: the caller's. */
    OTHER
  }

  private static final int TAKEN = 11000;
  private static final Set<Integer> DUPLICATE_KEY = Set.of(TAKEN, 11001, 12582);

  /**
   * LockTimeout, LockBusy, WriteConflict, ConflictingOperationInProgress,
   * ReadConcernMajorityNotAvailableYet, SnapshotUnavailable, TemporarilyUnavailable, StaleConfig,
   * TooManyRequests of compatible services, IngressRequestRateLimitExceeded.
   */
  private static final Set<Integer> CONTENTION =
      Set.of(24, 46, 112, 117, 134, 246, 365, 13388, 16500, 462);

  /**
   * HostUnreachable, HostNotFound, MaxTimeMSExpired, WriteConcernFailed, NetworkTimeout,
   * ShutdownInProgress, PrimarySteppedDown, ExceededTimeLimit, SocketException,
   * InterruptedAtShutdown, Interrupted, InterruptedDueToReplStateChange, NotWritablePrimary and its
   * like; UnsatisfiableWriteConcern met after the write, NetworkInterfaceExceededTimeLimit,
   * CursorKilled.
   */
  private static final Set<Integer> UNCERTAIN =
      Set.of(
          6, 7, 50, 64, 89, 91, 189, 262, 9001, 11600, 11601, 11602, 10058, 10107, 13435, 13436,
          100, 202, 237);

  private static final int NO_CODE = -1;
  private static final int UNKNOWN_EXPRESSION = 168;
  private static final int BAD_VALUE = 2;
  private static final int TYPE_MISMATCH = 14;

  /** From here on, codes are of single places in the server. */
  private static final int FIRST_LOCATION = 10_000;

  private static final int PATH_NOT_VIABLE = 28;

  private static final int KEY_TOO_LONG = 17280;
  private static final int OVERFLOW = 15;

  private static final int OVERSIZED = 10334;

  /** BSONObjectTooLarge and its like in updates and inserts, and the limits that have names. */
  private static final Set<Integer> TOO_LARGE =
      Set.of(OVERSIZED, 17419, 17420, KEY_TOO_LONG, OVERFLOW);

  /**
   * Unauthorized, IllegalOperation, CommandNotFound, CommandNotSupported,
   * ReadConcernMajorityNotEnabled, CommandNotSupportedOnView, what compatible services do not have,
   * an unknown stage, no replica set, what Atlas does not allow.
   */
  private static final Set<Integer> NO_STREAMS =
      Set.of(13, 20, 59, 115, 148, 166, 303, 40324, 40573, 8000);

  /** CappedPositionLost, InvalidResumeToken, ChangeStreamFatalError, ChangeStreamHistoryLost. */
  private static final Set<Integer> HISTORY_LOST = Set.of(136, 260, 280, 286);

  private static final int CHANGE_STREAM_FATAL = 280;

  /** What no place is: of another type, of other words, or empty. */
  private static final Set<Integer> NO_PLACE = Set.of(40647, 40648, 40649);

  /** The same where the server reads a place's text, by codes that may mean something else. */
  private static final Pattern UNREADABLE_PLACE =
      Pattern.compile("resume token string was not|KeyString format error|Invalid advance \\(");

  /**
   * CursorNotFound, StaleShardVersion, FailedToSatisfyReadPreference, StaleEpoch,
   * RetryChangeStream.
   */
  private static final Set<Integer> PASSING = Set.of(43, 63, 133, 150, 234);

  /** "Document size of 20000000 is larger than maximum", "BSONObj size: 16777300 (0x…)". */
  private static final Pattern SIZE = Pattern.compile("[sS]ize(?: of|:) (\\d+)");

  private static final int FAILED_TO_PARSE = 9;
  private static final int DOCUMENT_VALIDATION_FAILURE = 121;

  /**
   * ConflictingUpdateOperators, CannotBackfillArray, DollarPrefixedFieldName, EmptyFieldName,
   * DottedFieldName, ImmutableField.
   */
  private static final Set<Integer> OPERATORS = Set.of(40, 51, 52, 56, 57, 66);

  /** Names are given by whoever made the index; what follows are values. */
  private static final Pattern INDEX = Pattern.compile(" index: (.{1,128}?) (?:collation|dup key)");

  private Errors() {}

  static Kind kind(RuntimeException e) {
    if (e instanceof BsonMaximumSizeExceededException) {
      return Kind.TOO_LARGE;
    }
    if (!(e instanceof MongoException failure)) {
      return Kind.OTHER;
    }
    if (e instanceof MongoSocketOpenException) {
      return Kind.OTHER; // never sent; the driver tries again where it can
    }
    if (e instanceof MongoConnectionPoolClearedException
        || e instanceof MongoServerUnavailableException) {
      return Kind.CONTENTION; // never sent
    }
    if (isWithoutAnswer(failure)) {
      return Kind.UNCERTAIN;
    }
    if (Refusals.isRefusal(failure)) {
      return Kind.REFUSED;
    }
    int code = failure.getCode();
    if (DUPLICATE_KEY.contains(code)) {
      return isOfKey(failure) ? Kind.KEY_TAKEN : Kind.OTHER;
    }
    if (TOO_LARGE.contains(code)) {
      return Kind.TOO_LARGE;
    }
    if (CONTENTION.contains(code) || failure.hasErrorLabel("SystemOverloadedError")) {
      return Kind.CONTENTION;
    }
    if (UNCERTAIN.contains(code) || failure.hasErrorLabel("RetryableWriteError")) {
      return Kind.UNCERTAIN;
    }
    return Kind.OTHER;
  }

  private static boolean isWithoutAnswer(MongoException e) {
    return e instanceof MongoSocketException
        || e instanceof MongoNotPrimaryException
        || e instanceof MongoNodeIsRecoveringException
        || e instanceof MongoExecutionTimeoutException
        || e instanceof MongoOperationTimeoutException
        || e instanceof MongoInterruptedException
        || e instanceof MongoWriteConcernException;
  }

  /**
   * Whether contention may be the answer to a driver's second attempt, of which nothing is known of
   * the first: the server answers the command as a whole before it looks up whether it was carried
   * out. Where its label says that nothing was written, the driver tells of the first attempt.
   */
  static boolean mayHideAttempt(RuntimeException e) {
    return e instanceof MongoCommandException command
        && !command.hasErrorLabel("NoWritesPerformed")
        && kind(e) == Kind.CONTENTION;
  }

  /**
   * The fault of a write that met a limit of the server, in whose text an index shows its keys.
   *
   * @param bytes the size of the document, which not every error tells; 0 where it is not known
   */
  static TooLargeException tooLarge(RuntimeException e, EntityKey key, long bytes) {
    int code = e instanceof MongoException failure ? failure.getCode() : 0;
    String limit =
        switch (code) {
          case KEY_TOO_LONG -> "an index would get a key of more bytes than this server allows";
          case OVERFLOW -> "what would be stored is nested in more levels than MongoDB allows";
          default -> {
            Matcher told = SIZE.matcher(String.valueOf(e.getMessage()));
            String size = told.find() ? told.group(1) : bytes > 0 ? "" + bytes : "";
            yield "the document would exceed MongoDB's 16,777,216 bytes, marks included"
                + (size.isEmpty() ? "" : ": it would have " + size)
                + "; store less in it, or keep fewer message IDs and sources";
          }
        };
    return new TooLargeException(limit, key, code == KEY_TOO_LONG ? Faults.silent(e) : e);
  }

  /** Whether a limit of the server is that of a whole document, in which others may have room. */
  static boolean isOfDocument(RuntimeException e) {
    return !(e instanceof MongoException failure)
        || !Set.of(KEY_TOO_LONG, OVERFLOW).contains(failure.getCode());
  }

  /** Whether a command found no server or no connection, so that it was never sent. */
  static boolean isUnsent(@Nullable Throwable e) {
    return e instanceof MongoSocketOpenException
        || e instanceof MongoConnectionPoolClearedException
        || e instanceof MongoServerUnavailableException // the driver has taken it off its list
        || (e instanceof MongoTimeoutException // of the selection of a server, or of the pool
            && !(e instanceof MongoOperationTimeoutException));
  }

  /** Whether a read that failed may succeed later. */
  static boolean isTransient(RuntimeException e) {
    Kind kind = kind(e);
    return (kind == Kind.UNCERTAIN || kind == Kind.CONTENTION) && !isInterruption(e);
  }

  /** Whether an operation took longer than the client allows ({@code timeoutMS}). */
  static boolean isDeadline(RuntimeException e) {
    return e instanceof MongoOperationTimeoutException;
  }

  /** Whether the thread was asked to stop, so that nothing is tried again. */
  static boolean isInterruption(RuntimeException e) {
    return e instanceof MongoInterruptedException;
  }

  /** Whether it is a server's word, and no want of one. */
  static boolean isAnswered(RuntimeException e) {
    return e instanceof MongoServerException && !isWithoutAnswer((MongoException) e);
  }

  /** Whether a change stream failed for want of them, or of the right to them. */
  static boolean isWithoutStreams(RuntimeException e) {
    return e instanceof MongoCommandException command
        && NO_STREAMS.contains(command.getErrorCode());
  }

  /** Whether a change stream cannot go on from its place, since the server has not kept that. */
  static boolean isHistoryLost(MongoException e) {
    return HISTORY_LOST.contains(e.getCode());
  }

  /** Whether the same error tells that a pipeline has changed the places of the events. */
  static boolean isOfPipeline(MongoException e) {
    return e.getCode() == CHANGE_STREAM_FATAL;
  }

  /** Whether the server says so in words, whatever the stream has read before. */
  static boolean hasTakenPlaces(MongoException e) {
    return isOfPipeline(e) && String.valueOf(e.getMessage()).contains("modified by the pipeline");
  }

  /** Whether a change stream cannot be opened since what was kept is no place in any. */
  static boolean isNoPlace(MongoException e) {
    return NO_PLACE.contains(e.getCode())
        || UNREADABLE_PLACE.matcher(String.valueOf(e.getMessage())).find();
  }

  /** Whether an event has more bytes than the server gives at a time. */
  static boolean isOversized(MongoException e) {
    return e.getCode() == OVERSIZED;
  }

  /** Whether another attempt at a read, at a change stream or at a place would not mend it. */
  static boolean isLasting(MongoException e) {
    if (e instanceof MongoSecurityException && e.getCause() instanceof MongoException cause) {
      return isLasting(cause); // which may be of the network
    }
    if (e instanceof MongoClientException) {
      return !isUnsent(e) && !(e instanceof MongoTimeoutException);
    }
    boolean passes =
        isTransient(e)
            || PASSING.contains(e.getCode())
            || e.hasErrorLabel("ResumableChangeStreamError");
    return isAnswered(e) && !passes;
  }

  /** Whether operators may have met null where they need a document or an array. */
  static boolean mayBeOfNull(RuntimeException e) {
    return e instanceof MongoException failure
        && Set.of(PATH_NOT_VIABLE, BAD_VALUE).contains(failure.getCode());
  }

  /** Whether the server does not know what every MongoDB does; imitations may say so by no code. */
  static boolean isWithoutPipelines(RuntimeException e) {
    return e instanceof MongoCommandException command
        && (command.getErrorCode() == NO_CODE || command.getErrorCode() == UNKNOWN_EXPRESSION);
  }

  /** The fault of whatever meets such a server. */
  static IllegalStateException withoutPipelines(@Nullable RuntimeException e) {
    return new IllegalStateException(
        "the server does not take updates by aggregation pipelines, by which Tidemark writes:"
            + " MongoDB 6.0 and later do",
        e);
  }

  /** Whether an expression may have met what it does not take, so that nothing was done. */
  static boolean isOfExpression(MongoException e) {
    int code = e.getCode();
    boolean evaluated = code == BAD_VALUE || code == TYPE_MISMATCH || code >= FIRST_LOCATION;
    return evaluated && !DUPLICATE_KEY.contains(code) && kind(e) == Kind.OTHER;
  }

  /** The fields of the index that refused a write, where the server names them. */
  private static @Nullable BsonDocument keyPattern(MongoException e) {
    BsonDocument details = new BsonDocument();
    if (e instanceof MongoCommandException command) {
      details = command.getResponse();
    } else if (e instanceof MongoWriteException write) {
      details = write.getError().getDetails();
    }
    return details.isDocument("keyPattern") ? details.getDocument("keyPattern") : null;
  }

  /**
   * A violation of any other unique index is the caller's own constraint. The index's name comes
   * before the values; a clustered collection has no index to name.
   */
  private static boolean isOfKey(MongoException e) {
    BsonDocument pattern = keyPattern(e);
    if (pattern != null) {
      return pattern.keySet().equals(Set.of("_id"));
    }
    String message = String.valueOf(e.getMessage());
    int keys = message.indexOf(" dup key: ");
    String before = keys < 0 ? message : message.substring(0, keys + 1);
    return (keys < 0 || before.contains("index: "))
        ? before.contains("index: _id_ ") || before.contains("index: _id ")
        : message.startsWith(" dup key: { _id: ", keys);
  }

  /** A fault of this library where the server's error is the change's, else the error itself. */
  static RuntimeException fault(RuntimeException e, EntityKey key) {
    String reason =
        e instanceof MongoServerException failure && kind(e) == Kind.OTHER ? reason(failure) : null;
    if (reason == null) {
      return e;
    }
    String text = reason + " (error " + ((MongoException) e).getCode() + ")";
    return new InvalidChangeException(text, key, Faults.silent(e));
  }

  private static @Nullable String reason(MongoException e) {
    int code = e.getCode();
    return switch (code) {
      case BAD_VALUE, FAILED_TO_PARSE, TYPE_MISMATCH ->
          "MongoDB does not apply the operators to what is stored: a field or an operand is of"
              + " another type than one of them needs";
      case PATH_NOT_VIABLE -> "the parent of a path that the change names is no document";
      case DOCUMENT_VALIDATION_FAILURE ->
          "the collection's validator refuses what would be stored; of deleted entities only the"
              + " key, marks and expiry stay, so it has to allow documents with the expiry alone";
      case TAKEN -> duplicate(e);
      default ->
          OPERATORS.contains(code)
              ? "MongoDB does not take the operators: their paths overlap, or a name is none"
              : null;
    };
  }

  private static String duplicate(MongoException e) {
    return "unique index "
        + index(e)
        + " has the values that would be stored; where deleted entities are in the way, make it"
        + " partial by live()";
  }

  private static String index(MongoException e) {
    BsonDocument pattern = keyPattern(e);
    Matcher named = INDEX.matcher(String.valueOf(e.getMessage()));
    String found = named.find() ? "'" + named.group(1) + "'" : "of the collection";
    return pattern == null ? found : "on " + pattern.keySet();
  }
}
