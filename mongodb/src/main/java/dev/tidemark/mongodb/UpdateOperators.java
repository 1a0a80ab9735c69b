package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.Operation;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** A caller's own update operators, and tracking's beside them. */
final class UpdateOperators {
  private static final BsonString NOTHING = new BsonString("");

  private static final Operation.Cases<BsonDocument> MARKS =
      new Operation.Cases<>(
          assign -> op("$set", Values.mark(assign.value())),
          assign ->
              op(
                  assign.path().segments().size() == 1 ? "$min" : "$max",
                  Values.mark(assign.value())),
          UpdateOperators::unsaid,
          UpdateOperators::unsaid,
          add -> op("$push", op("$each", new BsonArray(Values.mark(add.elements()).asArray()))),
          UpdateOperators::unsaid,
          remove -> op("$unset", NOTHING));

  private final BsonDocument operators = new BsonDocument();

  private static BsonDocument unsaid(Operation operation) {
    throw new AssertionError("tracking changes nothing by " + operation);
  }

  /** Adds the caller's own operators, whose paths were checked. */
  UpdateOperators own(BsonDocument update) {
    update.forEach(
        (operator, fields) ->
            fields.asDocument().forEach((path, value) -> put(operator, path, value)));
    return this;
  }

  /**
   * Adds tracking's operations. Ids are pushed: {@code $addToSet} would carry the whole array into
   * the oplog. A stamp is only ever lowered, which closes the slot no later than is right. A floor
   * is only ever raised, and the filter lets it be raised only where it is missing.
   */
  UpdateOperators marks(List<Operation> operations) {
    for (Operation operation : operations) {
      String path = Filters.dotted(operation.path());
      operation.match(MARKS).forEach((operator, operand) -> put(operator, path, operand));
    }
    return this;
  }

  /** Adds one operator on one path. */
  UpdateOperators put(String operator, String path, BsonValue operand) {
    if (!operators.containsKey(operator)) {
      operators.put(operator, new BsonDocument());
    }
    operators.getDocument(operator).put(path, operand);
    return this;
  }

  BsonDocument render() {
    return operators;
  }
}
