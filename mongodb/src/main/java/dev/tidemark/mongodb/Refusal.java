package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.literal;
import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The error that a pipeline raises where its guard is false. The server then changes nothing, an
 * upsert inserts nothing, and the reply to a bulk names the statement.
 */
final class Refusal {
  private static final int CONVERSION_FAILURE = 241;

  /** No text that anybody stores can be it, so no other error can look like a refusal. */
  private static final String TEXT =
      "tidemark refuses " + Long.toHexString(UUID.randomUUID().getMostSignificantBits());

  private Refusal() {}

  /**
   * An expression that is an error wherever it is evaluated. It depends on the document, by the
   * type of the key alone: servers evaluate what is constant once and for all, and would refuse
   * everything.
   */
  static BsonValue raised() {
    BsonValue type = op("$type", new BsonString("$_id"));
    return op("$toInt", op("$concat", new BsonString(TEXT), type));
  }

  /** Whether a document is one that an upsert is about to insert: it has its key alone. */
  static BsonValue isNew(BsonDocument id) {
    BsonValue fields = op("$objectToArray", Expressions.ROOT);
    return op("$eq", Expressions.size(fields), literal(new BsonInt32(id.size())));
  }

  /**
   * Whether an error is that of a guard. Servers leave out texts where many errors come in one
   * reply; no other expression of a tracked write converts anything.
   */
  static boolean isRaisedBy(MongoException e) {
    String text = "";
    if (e instanceof MongoCommandException command) {
      text = command.getErrorMessage();
    } else if (e instanceof MongoWriteException write) {
      text = write.getError().getMessage();
    }
    return text.contains(TEXT) || (text.isEmpty() && e.getCode() == CONVERSION_FAILURE);
  }
}
