package dev.tidemark.mongodb;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.kernel.Faults;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What the caller gets where the server refuses a change for good: what it met and what to do about
 * it. The server's own text carries keys and values, and goes no further.
 */
final class ServerFaults {
  private static final int BAD_VALUE = 2;
  private static final int FAILED_TO_PARSE = 9;
  private static final int TYPE_MISMATCH = 14;
  private static final int PATH_NOT_VIABLE = 28;
  private static final int INVALID_DOCUMENT = 121;
  private static final int DUPLICATE_KEY = 11000;

  /**
   * ConflictingUpdateOperators, CannotBackfillArray, DollarPrefixedFieldName, EmptyFieldName,
   * DottedFieldName, ImmutableField.
   */
  private static final Set<Integer> OPERATORS = Set.of(40, 51, 52, 56, 57, 66);

  /** Names are given by whoever made the index; what follows are values. */
  private static final Pattern INDEX = Pattern.compile(" index: (.{1,128}?) (?:collation|dup key)");

  private ServerFaults() {}

  /** A fault of this library where the server's error is the change's, else the error itself. */
  static RuntimeException of(RuntimeException e, Key key) {
    String reason =
        e instanceof MongoServerException failure && Errors.kind(e) == Errors.Kind.OTHER
            ? reason(failure)
            : null;
    return reason == null ? e : new InvalidChangeException(reason, key, Faults.silent(e));
  }

  private static @Nullable String reason(MongoException e) {
    int code = e.getCode();
    return switch (code) {
      case BAD_VALUE, FAILED_TO_PARSE, TYPE_MISMATCH ->
          "MongoDB does not apply the operators to what is stored: a field or an operand is of"
              + " another type than one of them needs"
              + number(code);
      case PATH_NOT_VIABLE ->
          "the parent of a path that the change names is no document" + number(code);
      case INVALID_DOCUMENT ->
          "the collection's validator refuses what would be stored; of deleted entities only the"
              + " key, marks and expiry stay, so it has to allow documents with the expiry alone"
              + number(code);
      case DUPLICATE_KEY -> duplicate(e);
      default ->
          OPERATORS.contains(code)
              ? "MongoDB does not take the operators: their paths overlap, or a name is none"
                  + number(code)
              : null;
    };
  }

  private static String number(int code) {
    return " (error " + code + ")";
  }

  private static String duplicate(MongoException e) {
    return "unique index "
        + index(e)
        + " has the values that would be stored; where deleted entities are in the way, make it"
        + " partial by live()"
        + number(DUPLICATE_KEY);
  }

  private static String index(MongoException e) {
    if (e instanceof MongoCommandException command) {
      BsonDocument response = command.getResponse();
      if (response.isDocument("keyPattern")) {
        return "on " + response.getDocument("keyPattern").keySet();
      }
    }
    Matcher named = INDEX.matcher(String.valueOf(e.getMessage()));
    return named.find() ? "'" + named.group(1) + "'" : "of the collection";
  }
}
