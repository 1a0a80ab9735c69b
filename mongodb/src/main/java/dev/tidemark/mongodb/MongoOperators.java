package dev.tidemark.mongodb;

import dev.tidemark.Operation;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/** Operations as update operators, for servers and writes without pipelines. */
final class MongoOperators {
  private final CodecRegistry registry;
  private final BsonDocument operators = new BsonDocument();

  MongoOperators(CodecRegistry registry) {
    this.registry = registry;
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

  /** Adds portable operations. */
  MongoOperators change(List<Operation> operations) {
    for (Operation operation : operations) {
      String path = MongoNames.dotted(operation.path());
      if (operation instanceof Operation.Assign assign) {
        put("$set", path, encode(assign.value()));
      } else if (operation instanceof Operation.Increase increase) {
        put("$inc", path, MongoShapes.amount(increase, registry));
      } else if (operation instanceof Operation.AppendAll append) {
        put("$push", path, each(encode(append.elements())));
      } else if (operation instanceof Operation.AddAll add) {
        put("$addToSet", path, each(encode(add.elements())));
      } else {
        put("$unset", path, new BsonString(""));
      }
    }
    return this;
  }

  /**
   * Adds tracking's operations. Ids are pushed: {@code $addToSet} would carry the whole array into
   * the oplog. A stamp is set on a new document alone; an open slot without one counts as old. A
   * floor is only ever raised, and the filter lets it be raised only where it is missing.
   */
  MongoOperators marks(List<Operation> operations) {
    for (Operation operation : operations) {
      String path = MongoNames.dotted(operation.path());
      if (operation instanceof Operation.Assign assign) {
        put("$set", path, MongoValues.mark(assign.value()));
      } else if (operation instanceof Operation.AssignIfAbsent assign) {
        boolean stamp = operation.path().segments().size() == 1;
        put(stamp ? "$setOnInsert" : "$max", path, MongoValues.mark(assign.value()));
      } else if (operation instanceof Operation.AddAll add) {
        put("$push", path, each(MongoValues.mark(add.elements())));
      } else {
        put("$unset", path, new BsonString(""));
      }
    }
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

  private BsonValue encode(Object value) {
    return MongoValues.encode(value, registry);
  }

  private static BsonDocument each(BsonValue elements) {
    return new BsonDocument("$each", new BsonArray(elements.asArray().getValues()));
  }

  private void put(String operator, String path, BsonValue operand) {
    BsonDocument fields = operators.getDocument(operator, new BsonDocument());
    operators.put(operator, fields.append(path, operand));
  }
}
