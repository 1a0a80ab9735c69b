package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.op;

import dev.tidemark.Operation;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/** Operations as update operators, for servers and writes without pipelines. */
final class MongoOperators {
  private static final BsonDocument UNSET = op("$unset", new BsonString(""));

  private static final Operation.Cases<BsonDocument> MARKS =
      new Operation.Cases<>(
          assign -> op("$set", MongoValues.mark(assign.value())),
          assign ->
              op(
                  assign.path().segments().size() == 1 ? "$setOnInsert" : "$max",
                  MongoValues.mark(assign.value())),
          MongoOperators::unsaid,
          MongoOperators::unsaid,
          add -> op("$push", each(MongoValues.mark(add.elements()))),
          MongoOperators::unsaid,
          remove -> UNSET);

  private final Operation.Cases<BsonDocument> changes;
  private final BsonDocument operators = new BsonDocument();

  MongoOperators(CodecRegistry registry) {
    this.changes =
        new Operation.Cases<>(
            assign -> op("$set", MongoValues.encode(assign.value(), registry)),
            MongoOperators::unsaid,
            increase -> op("$inc", MongoShapes.amount(increase, registry)),
            append -> op("$push", each(MongoValues.encode(append.elements(), registry))),
            add -> op("$addToSet", each(MongoValues.encode(add.elements(), registry))),
            MongoOperators::unsaid,
            remove -> UNSET);
  }

  private static BsonDocument unsaid(Operation operation) {
    throw new AssertionError("operators do not say " + operation);
  }

  /** Whether operators can say this without knowing what is stored. */
  static boolean canSay(List<Operation> operations) {
    return operations.stream()
        .noneMatch(
            operation ->
                operation instanceof Operation.AssignIfAbsent
                    || operation instanceof Operation.RemoveAll);
  }

  /** Adds the caller's own operators, whose paths were checked. */
  MongoOperators nativeUpdate(BsonDocument update) {
    update.forEach(
        (operator, fields) ->
            fields.asDocument().forEach((path, value) -> put(operator, path, value)));
    return this;
  }

  /** Adds portable operations that operators {@linkplain #canSay can say}. */
  MongoOperators change(List<Operation> operations) {
    operations.forEach(operation -> put(operation, operation.match(changes)));
    return this;
  }

  /**
   * Adds tracking's operations. Ids are pushed: {@code $addToSet} would carry the whole array into
   * the oplog. A stamp is set on a new document alone; an open slot without one counts as old. A
   * floor is only ever raised, and the filter lets it be raised only where it is missing.
   */
  MongoOperators marks(List<Operation> operations) {
    operations.forEach(operation -> put(operation, operation.match(MARKS)));
    return this;
  }

  /** Adds a field that only a new document gets. */
  MongoOperators onInsert(String name, BsonValue value) {
    put("$setOnInsert", name, value);
    return this;
  }

  /** Adds a field. */
  MongoOperators set(String name, BsonValue value) {
    put("$set", name, value);
    return this;
  }

  /** Removes a field. */
  MongoOperators unset(String name) {
    put("$unset", name, new BsonString(""));
    return this;
  }

  BsonDocument render() {
    return operators;
  }

  private static BsonDocument each(BsonValue elements) {
    return new BsonDocument("$each", new BsonArray(elements.asArray().getValues()));
  }

  private void put(Operation operation, BsonDocument said) {
    String path = MongoNames.dotted(operation.path());
    said.forEach((operator, operand) -> put(operator, path, operand));
  }

  private void put(String operator, String path, BsonValue operand) {
    BsonDocument fields = operators.getDocument(operator, new BsonDocument());
    operators.put(operator, fields.append(path, operand));
  }
}
