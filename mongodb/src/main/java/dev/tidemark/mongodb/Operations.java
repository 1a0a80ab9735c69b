package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.REMOVED;
import static dev.tidemark.mongodb.Expressions.THIS;
import static dev.tidemark.mongodb.Expressions.all;
import static dev.tidemark.mongodb.Expressions.any;
import static dev.tidemark.mongodb.Expressions.arrayOrEmpty;
import static dev.tidemark.mongodb.Expressions.cond;
import static dev.tidemark.mongodb.Expressions.filter;
import static dev.tidemark.mongodb.Expressions.isArray;
import static dev.tidemark.mongodb.Expressions.isMissing;
import static dev.tidemark.mongodb.Expressions.literal;
import static dev.tidemark.mongodb.Expressions.not;
import static dev.tidemark.mongodb.Expressions.op;
import static dev.tidemark.mongodb.Expressions.typeIs;
import static dev.tidemark.mongodb.Expressions.value;

import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Operations as expressions: what the stored document has to look like for them to fit it, and the
 * document after them. Values are literals throughout; what a name leads to is never read as an
 * expression.
 */
final class Operations {
  private static final BsonInt64 NOTHING = new BsonInt64(0);

  /** Before all finite numbers; what is no number comes before it. */
  private static final BsonDouble LEAST = new BsonDouble(Double.NEGATIVE_INFINITY);

  private static final BsonDouble MOST = new BsonDouble(Double.POSITIVE_INFINITY);
  private static final BsonString SUM = new BsonString("$$sum");
  private static final BsonArray KEPT = BsonArray.parse("['missing', 'int', 'long', 'double']");
  private static final BsonArray MADE = BsonArray.parse("['object', 'missing', 'null']");
  private static final BsonArray NUMBERS =
      BsonArray.parse("['missing', 'int', 'long', 'double', 'decimal']");

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

  private final PropertyValues values;
  private final Properties properties;
  private final Node root = new Node();

  Operations(Context<?> context) {
    this.values = context.mapping().values();
    this.properties = context.mapping().properties();
  }

  private BsonValue result(Operation operation) {
    BsonValue stored = stored(operation);
    return switch (operation.kind()) {
      case ASSIGN -> given(operation);
      case ASSIGN_IF_ABSENT -> cond(isMissing(stored), given(operation), stored);
      case INCREASE -> // its shape was tested
          op(
              "$add",
              op("$ifNull", stored, literal(values.zero(operation))),
              literal(values.given(operation)));
      case APPEND_ALL -> appended(stored, given(operation));
      case ADD_ALL -> {
        BsonValue isNew = not(op("$in", THIS, arrayOrEmpty(stored)));
        yield appended(stored, filter(given(operation), isNew));
      }
      case REMOVE_ALL -> {
        BsonValue left = filter(arrayOrEmpty(stored), not(op("$in", THIS, given(operation))));
        yield cond(op("$eq", left, literal(new BsonArray())), REMOVED, left);
      }
      case REMOVE -> REMOVED;
    };
  }

  /** What marks become; the guard says that no added one is there, and what waits is a list. */
  private static BsonValue mark(Operation operation) {
    BsonValue stored = stored(operation);
    return switch (operation.kind()) {
      case ASSIGN -> literal(Values.mark(operation.value()));
      case ASSIGN_IF_ABSENT -> op("$ifNull", stored, literal(Values.mark(operation.value())));
      case ADD_ALL, APPEND_ALL ->
          op(
              "$concatArrays",
              op("$ifNull", stored, new BsonArray()),
              literal(Values.mark(operation.value())));
      case REMOVE -> REMOVED;
      case INCREASE, REMOVE_ALL ->
          throw new AssertionError("tracking changes nothing by " + operation);
    };
  }

  /** Adds the caller's operations. */
  Operations change(List<Operation> operations) {
    operations.forEach(operation -> put(operation, result(operation)));
    return this;
  }

  /** Adds tracking's operations, whose parents are created where needed. */
  Operations marks(List<Operation> operations) {
    operations.forEach(operation -> put(operation, mark(operation)));
    return this;
  }

  /** Adds a field that an expression gives; nothing happens where it gives nothing. */
  Operations set(String name, BsonValue expression) {
    root.member(name).value = expression;
    return this;
  }

  private void put(Operation operation, BsonValue value) {
    Node node = root;
    for (String segment : operation.path().segments()) {
      node = node.member(segment);
    }
    node.value = value;
    node.removes = operation.kind() == Operation.Kind.REMOVE;
    node.mayRemove = operation.kind() == Operation.Kind.REMOVE_ALL;
  }

  /** The document after the operations. */
  BsonValue render() {
    return render(root, Expressions.ROOT, "$");
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

  private BsonValue given(Operation operation) {
    return literal(values.given(operation));
  }

  private static BsonValue stored(Operation operation) {
    return value(operation.path());
  }

  private static BsonValue appended(BsonValue stored, BsonValue added) {
    return op("$concatArrays", arrayOrEmpty(stored), added);
  }

  /** Only the fields of a document whose names pass a test of {@code $$this.k}. */
  static BsonDocument only(BsonValue nameTest) {
    BsonValue fields = op("$objectToArray", Expressions.ROOT);
    return op("$arrayToObject", new BsonArray(new ArrayList<>(List.of(filter(fields, nameTest)))));
  }

  /** Whether what is stored fits all operations; a few that fit are refused too. */
  BsonValue shape(List<Operation> operations) {
    List<BsonValue> tests = new ArrayList<>();
    for (Operation operation : operations) {
      for (Path parent : Expressions.parents(operation.path())) {
        tests.add(
            operation.createsParents()
                ? op("$in", op("$type", value(parent)), MADE)
                : typeIs(value(parent), "object"));
      }
      BsonValue stored = stored(operation);
      switch (operation.kind()) {
        case INCREASE -> tests.addAll(takes(operation));
        case APPEND_ALL, ADD_ALL, REMOVE_ALL ->
            tests.add(any(List.of(isMissing(stored), isArray(stored))));
        case ASSIGN, ASSIGN_IF_ABSENT, REMOVE -> {}
      }
    }
    return all(tests);
  }

  /**
   * Whole sums stay far enough from the bounds of 64 bits, decimals stay exact, and what is not
   * finite is no number to add to.
   */
  private List<BsonValue> takes(Operation increase) {
    BsonValue stored = value(increase.path());
    BsonValue amount = values.given(increase);
    BsonValue before = numberOrZero(stored);
    BsonValue sum = op("$add", before, amount);
    BsonValue exact =
        all(
            List.of(
                op("$eq", op("$subtract", sum, amount), before),
                op("$eq", op("$subtract", sum, before), amount)));
    BsonValue type = op("$type", stored);
    List<BsonValue> tests = new ArrayList<>();
    tests.add(
        amount.isDecimal128()
            ? all(List.of(op("$in", type, NUMBERS), exact))
            : any(List.of(op("$in", type, KEPT), all(List.of(typeIs(stored, "decimal"), exact)))));
    if (amount instanceof BsonInt64 by && by.getValue() >= 0) {
      tests.add(op("$lte", stored, new BsonInt64(Long.MAX_VALUE - by.getValue())));
      tests.add(op("$gt", op("$ifNull", stored, NOTHING), LEAST));
    } else if (amount instanceof BsonInt64 by) {
      BsonValue least = new BsonInt64(Long.MIN_VALUE - by.getValue());
      tests.add(op("$gte", op("$ifNull", stored, NOTHING), least));
      tests.add(op("$lt", stored, MOST));
    } else if (amount.isDouble()) {
      tests.add(op("$gt", sum, LEAST));
      tests.add(op("$lt", sum, MOST));
    }
    addHolds(tests, increase);
    return tests;
  }

  /** Whether a sum stays within the range of the property, where it may leave it. */
  private void addHolds(List<BsonValue> tests, Operation increase) {
    Number most = properties.most(increase.path());
    if (most != null && !(most.equals(Long.MAX_VALUE) && values.given(increase).isInt64())) {
      BsonValue sum = op("$add", numberOrZero(value(increase.path())), values.given(increase));
      BsonValue atMost = op("$lte", SUM, Values.mark(most));
      BsonValue atLeast = op("$gte", SUM, Values.mark(NumberClass.least(most)));
      BsonDocument let = new BsonDocument("vars", new BsonDocument("sum", sum));
      tests.add(op("$let", let.append("in", all(List.of(atMost, atLeast)))));
    }
  }

  private static BsonValue numberOrZero(BsonValue stored) {
    return cond(op("$isNumber", stored), stored, literal(NOTHING));
  }
}
