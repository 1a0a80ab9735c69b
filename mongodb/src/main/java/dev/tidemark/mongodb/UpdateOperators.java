package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.Operation;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/** Operations as update operators, for servers and writes without pipelines. */
final class UpdateOperators {
  private static final BsonDocument UNSET = op("$unset", new BsonString(""));

  private static final Operation.Cases<BsonDocument> MARKS =
      new Operation.Cases<>(
          assign -> op("$set", Values.mark(assign.value())),
          assign ->
              op(
                  assign.path().segments().size() == 1 ? "$setOnInsert" : "$max",
                  Values.mark(assign.value())),
          UpdateOperators::unsaid,
          UpdateOperators::unsaid,
          add -> op("$push", each(Values.mark(add.elements()))),
          UpdateOperators::unsaid,
          remove -> UNSET);

  private final Operation.Cases<BsonDocument> changes;
  private final BsonDocument operators = new BsonDocument();

  UpdateOperators(CodecRegistry registry) {
    this.changes =
        new Operation.Cases<>(
            assign -> op("$set", Values.encode(assign.value(), registry)),
            UpdateOperators::unsaid,
            increase -> op("$inc", Operations.amount(increase, registry)),
            append -> op("$push", each(Values.encode(append.elements(), registry))),
            add -> op("$addToSet", each(Values.encode(add.elements(), registry))),
            UpdateOperators::unsaid,
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
  UpdateOperators nativeUpdate(BsonDocument update) {
    update.forEach(
        (operator, fields) ->
            fields.asDocument().forEach((path, value) -> put(operator, path, value)));
    return this;
  }

  /** Adds portable operations that operators {@linkplain #canSay can say}. */
  UpdateOperators change(List<Operation> operations) {
    operations.forEach(operation -> put(operation, operation.match(changes)));
    return this;
  }

  /**
   * Adds tracking's operations. Ids are pushed: {@code $addToSet} would carry the whole array into
   * the oplog. A stamp is set on a new document alone; an open slot without one counts as old. A
   * floor is only ever raised, and the filter lets it be raised only where it is missing.
   */
  UpdateOperators marks(List<Operation> operations) {
    operations.forEach(operation -> put(operation, operation.match(MARKS)));
    return this;
  }

  /** Adds a field that only a new document gets. */
  UpdateOperators onInsert(String name, BsonValue value) {
    put("$setOnInsert", name, value);
    return this;
  }

  /** Adds a field. */
  UpdateOperators set(String name, BsonValue value) {
    put("$set", name, value);
    return this;
  }

  /** Removes a field. */
  UpdateOperators unset(String name) {
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
    String path = Filters.dotted(operation.path());
    said.forEach((operator, operand) -> put(operator, path, operand));
  }

  private void put(String operator, String path, BsonValue operand) {
    BsonDocument fields = operators.getDocument(operator, new BsonDocument());
    operators.put(operator, fields.append(path, operand));
  }
}
