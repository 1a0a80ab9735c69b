package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.REMOVED;
import static dev.tidemark.mongodb.MongoExpressions.THIS;
import static dev.tidemark.mongodb.MongoExpressions.arrayOrEmpty;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.filter;
import static dev.tidemark.mongodb.MongoExpressions.isMissing;
import static dev.tidemark.mongodb.MongoExpressions.literal;
import static dev.tidemark.mongodb.MongoExpressions.not;
import static dev.tidemark.mongodb.MongoExpressions.op;
import static dev.tidemark.mongodb.MongoExpressions.typeIs;

import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * Operations as one expression that gives the document after them. Values are literals throughout;
 * what a name leads to is never read as an expression.
 */
final class MongoOperations {
  /** How a field changes, or the fields inside it. */
  private static final class Node {
    private Map<String, Node> members = Map.of();
    private boolean removes;
    private boolean mayRemove;
    private BsonValue value = REMOVED;

    Node member(String name) {
      if (members.isEmpty()) {
        members = new LinkedHashMap<>();
      }
      return members.computeIfAbsent(name, n -> new Node());
    }

    /** Whether it needs a document to be there, which a merge does not. */
    boolean takesAway() {
      return removes || mayRemove;
    }
  }

  private final CodecRegistry registry;
  private final Node root = new Node();

  MongoOperations(CodecRegistry registry) {
    this.registry = registry;
  }

  /** Adds the caller's operations. */
  MongoOperations change(List<Operation> operations) {
    operations.forEach(operation -> put(operation, value(operation)));
    return this;
  }

  /** Adds tracking's operations, whose parents are created where needed. */
  MongoOperations marks(List<Operation> operations) {
    operations.forEach(operation -> put(operation, mark(operation)));
    return this;
  }

  /** Adds a field that an expression gives; nothing happens where it gives nothing. */
  MongoOperations set(String name, BsonValue expression) {
    root.member(name).value = expression;
    return this;
  }

  private void put(Operation operation, BsonValue value) {
    Node node = root;
    for (String segment : operation.path().segments()) {
      node = node.member(segment);
    }
    node.value = value;
    node.removes = operation instanceof Operation.Remove;
    node.mayRemove = operation instanceof Operation.RemoveAll;
  }

  /** The document after the operations. */
  BsonValue render() {
    return render(root, MongoExpressions.ROOT, "$");
  }

  /** The document after the operations, which start from another one than the stored one. */
  BsonValue render(BsonValue base) {
    return render(root, base, "$");
  }

  private static BsonValue render(Node node, BsonValue stored, String prefix) {
    BsonValue result = stored;
    BsonDocument merged = new BsonDocument();
    for (Map.Entry<String, Node> member : node.members.entrySet()) {
      Node inner = member.getValue();
      String name = member.getKey();
      if (inner.removes) {
        result = unset(name, result);
      } else if (inner.mayRemove) {
        result = setField(name, result, inner.value);
      } else if (inner.members.isEmpty()) {
        merged.append(name, inner.value);
      } else {
        BsonString field = new BsonString(prefix + name);
        boolean merges = inner.members.values().stream().noneMatch(Node::takesAway);
        BsonValue base = merges ? field : op("$ifNull", field, literal(new BsonDocument()));
        merged.append(name, render(inner, base, prefix + name + "."));
      }
    }
    return merged.isEmpty() ? result : op("$mergeObjects", result, merged);
  }

  /** The way that the Stable API has, too: it lacks {@code $unsetField}. */
  static BsonDocument unset(String name, BsonValue input) {
    return setField(name, input, REMOVED);
  }

  private static BsonDocument setField(String name, BsonValue input, BsonValue value) {
    return op(
        "$setField",
        new BsonDocument("field", new BsonString(name))
            .append("input", input)
            .append("value", value));
  }

  private BsonValue encode(Object value) {
    return MongoValues.encode(value, registry);
  }

  private BsonValue value(Operation operation) {
    BsonValue stored = MongoConditions.value(operation.path());
    if (operation instanceof Operation.Assign assign) {
      return literal(encode(assign.value()));
    }
    if (operation instanceof Operation.AssignIfAbsent assign) {
      return orElse(stored, encode(assign.value()));
    }
    if (operation instanceof Operation.Increase increase) {
      BsonValue number = op("$ifNull", stored, literal(new BsonInt64(0))); // its shape was tested
      return op("$add", number, literal(MongoShapes.amount(increase, registry)));
    }
    if (operation instanceof Operation.AppendAll append) {
      return appended(stored, literal(encode(append.elements())));
    }
    if (operation instanceof Operation.AddAll add) {
      BsonValue added = literal(encode(add.elements()));
      return appended(stored, filter(added, not(op("$in", THIS, arrayOrEmpty(stored)))));
    }
    if (operation instanceof Operation.RemoveAll remove) {
      BsonValue dropped = literal(encode(remove.elements()));
      BsonValue left = filter(arrayOrEmpty(stored), not(op("$in", THIS, dropped)));
      return cond(op("$eq", left, literal(new BsonArray())), REMOVED, left);
    }
    return REMOVED;
  }

  private static BsonValue mark(Operation operation) {
    Path path = operation.path();
    if (operation instanceof Operation.Assign assign) {
      return literal(MongoValues.mark(assign.value()));
    }
    if (operation instanceof Operation.AssignIfAbsent assign) {
      return op("$ifNull", MongoConditions.value(path), literal(MongoValues.mark(assign.value())));
    }
    if (operation instanceof Operation.AddAll add) {
      // The guard says that none of them is in there.
      BsonValue added = MongoValues.mark(add.elements());
      BsonValue stored = op("$ifNull", MongoConditions.value(path), new BsonArray());
      return op("$concatArrays", stored, literal(added));
    }
    return REMOVED;
  }

  private static BsonValue orElse(BsonValue stored, BsonValue otherwise) {
    return cond(isMissing(stored), literal(otherwise), stored);
  }

  private static BsonValue appended(BsonValue stored, BsonValue added) {
    return op("$concatArrays", arrayOrEmpty(stored), added);
  }

  static BsonValue sum(Operation.Increase increase, CodecRegistry registry) {
    BsonValue stored = MongoConditions.value(increase.path());
    BsonValue amount = MongoShapes.amount(increase, registry);
    BsonValue number = cond(op("$isNumber", stored), stored, literal(new BsonInt64(0)));
    return op("$add", number, literal(amount));
  }

  /** Only the fields of a document whose names pass a test of {@code $$this.k}. */
  static BsonDocument only(BsonValue nameTest) {
    BsonValue fields = op("$objectToArray", MongoExpressions.ROOT);
    return op("$arrayToObject", new BsonArray(new ArrayList<>(List.of(filter(fields, nameTest)))));
  }

  static BsonValue isDocument(Path path) {
    return typeIs(MongoConditions.value(path), "object");
  }
}
