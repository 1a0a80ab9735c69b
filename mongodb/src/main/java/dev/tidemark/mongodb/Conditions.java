package dev.tidemark.mongodb;

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
import static dev.tidemark.mongodb.Expressions.number;
import static dev.tidemark.mongodb.Expressions.op;
import static dev.tidemark.mongodb.Expressions.size;
import static dev.tidemark.mongodb.Expressions.typeIs;

import dev.tidemark.Condition;
import dev.tidemark.kernel.Evaluator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/** Conditions as aggregation expressions, strict about types as the kernel's evaluator is. */
final class Conditions {
  private final CodecRegistry registry;
  private final Condition.Tests<BsonValue> tests;
  private final Condition.Cases<BsonValue> cases;

  Conditions(CodecRegistry registry) {
    this.registry = registry;
    this.tests =
        new Condition.Tests<>(
            this::compare,
            exists -> not(isMissing(value(exists))),
            in ->
                op("$in", value(in), literal(new BsonArray(Values.equals(in.values(), registry)))),
            this::contains,
            Conditions::sizeBelow,
            ofKind -> ofKind(ofKind.kind(), value(ofKind)));
    this.cases =
        new Condition.Cases<>(
            and -> all(and.all().stream().map(this::render).toList()),
            or -> any(or.any().stream().map(this::render).toList()),
            not -> not(render(not.condition())),
            this::inDocuments);
  }

  BsonValue render(Condition condition) {
    return condition.match(cases);
  }

  private BsonValue inDocuments(Condition.Test test) {
    List<BsonValue> all = new ArrayList<>();
    Expressions.parents(test.path())
        .forEach(parent -> all.add(typeIs(Expressions.value(parent), "object")));
    all.add(test(test));
    return all.size() == 1 ? all.get(0) : all(all);
  }

  /** A test of an attribute, of which it is known that it stands in documents. */
  BsonValue test(Condition.Test test) {
    return test.match(tests);
  }

  /** Whether a condition asks for one of some top-level fields. */
  static boolean touches(Condition condition, Set<String> fields) {
    return Evaluator.paths(condition).stream()
        .anyMatch(path -> fields.contains(path.segments().get(0)));
  }

  private static BsonString value(Condition.Test test) {
    return Expressions.value(test.path());
  }

  private BsonValue contains(Condition.Contains contains) {
    BsonValue array = arrayOrEmpty(value(contains));
    return any(
        Values.equals(List.of(contains.value()), registry).stream()
            .map(form -> op("$in", literal(form), array))
            .toList());
  }

  private static BsonValue sizeBelow(Condition.SizeBelow below) {
    BsonValue value = value(below);
    BsonValue characters =
        cond(typeIs(value, "string"), op("$strLenCP", value), literal(number(Integer.MAX_VALUE)));
    return op("$lt", cond(isArray(value), size(value), characters), number(below.size()));
  }

  private BsonValue compare(Condition.Compare compare) {
    BsonValue value = value(compare);
    BsonValue operand = Values.encode(compare.value(), registry);
    if (compare.operator() == Condition.Operator.EQUAL) {
      return op("$in", value, literal(new BsonArray(Values.equals(operand))));
    }
    if (!isOrdered(operand)) {
      return BsonBoolean.FALSE;
    }
    BsonDocument test = op(operator(compare.operator()), value, literal(operand));
    BsonValue sameKind =
        operand.isNumber()
            ? op("$isNumber", value)
            : op("$eq", op("$type", value), op("$type", literal(operand)));
    return all(List.of(sameKind, test));
  }

  /**
   * Whether values of this kind have an order.
   *
   * @throws IllegalArgumentException for bytes, which MongoDB orders by length first
   */
  static boolean isOrdered(BsonValue operand) {
    if (operand.isBinary()) {
      throw new IllegalArgumentException(
          "MongoDB orders binary values by length first; compare them by is() or in()");
    }
    return operand.isNumber() || operand.isString() || operand.getBsonType() == BsonType.DATE_TIME;
  }

  static String operator(Condition.Operator operator) {
    return switch (operator) {
      case EQUAL -> "$eq";
      case LESS -> "$lt";
      case AT_MOST -> "$lte";
      case GREATER -> "$gt";
      case AT_LEAST -> "$gte";
    };
  }

  private static BsonValue ofKind(Condition.Kind kind, BsonValue value) {
    if (!isSet(kind)) {
      return isOf(kind, value);
    }
    BsonDocument others = filter(arrayOrEmpty(value), not(isOf(kind, THIS)));
    return all(List.of(isArray(value), op("$eq", size(others), number(0))));
  }

  /** Whether values of this kind are arrays here. */
  static boolean isSet(Condition.Kind kind) {
    return switch (kind) {
      case STRING_SET, NUMBER_SET, BINARY_SET -> true;
      case STRING, NUMBER, BINARY, NULL -> false;
    };
  }

  /** The type of values of this kind, or of the elements if it is a set. */
  static String type(Condition.Kind kind) {
    return switch (kind) {
      case STRING, STRING_SET -> "string";
      case NUMBER, NUMBER_SET -> "number";
      case BINARY, BINARY_SET -> "binData";
      case NULL -> "null";
    };
  }

  /** Whether a value has that type. */
  static BsonValue isOf(Condition.Kind kind, BsonValue value) {
    String type = type(kind);
    return type.equals("number") ? op("$isNumber", value) : typeIs(value, type);
  }
}
