package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.THIS;
import static dev.tidemark.mongodb.MongoExpressions.all;
import static dev.tidemark.mongodb.MongoExpressions.any;
import static dev.tidemark.mongodb.MongoExpressions.arrayOrEmpty;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.filter;
import static dev.tidemark.mongodb.MongoExpressions.isArray;
import static dev.tidemark.mongodb.MongoExpressions.isMissing;
import static dev.tidemark.mongodb.MongoExpressions.literal;
import static dev.tidemark.mongodb.MongoExpressions.not;
import static dev.tidemark.mongodb.MongoExpressions.number;
import static dev.tidemark.mongodb.MongoExpressions.op;
import static dev.tidemark.mongodb.MongoExpressions.size;
import static dev.tidemark.mongodb.MongoExpressions.typeIs;

import dev.tidemark.Condition;
import dev.tidemark.Path;
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
final class MongoConditions {
  private final CodecRegistry registry;
  private final boolean ofMarks;

  MongoConditions(CodecRegistry registry) {
    this(registry, false);
  }

  private MongoConditions(CodecRegistry registry, boolean ofMarks) {
    this.registry = registry;
    this.ofMarks = ofMarks;
  }

  /** Conditions on marks, of which an explicit null is none. */
  static MongoConditions ofMarks(CodecRegistry registry) {
    return new MongoConditions(registry, true);
  }

  BsonValue render(Condition condition) {
    if (condition instanceof Condition.And and) {
      return all(and.all().stream().map(this::render).toList());
    }
    if (condition instanceof Condition.Or or) {
      return any(or.any().stream().map(this::render).toList());
    }
    if (condition instanceof Condition.Not not) {
      return not(render(not.condition()));
    }
    Path path = path(condition);
    List<BsonValue> tests = new ArrayList<>();
    MongoNames.parents(path).forEach(parent -> tests.add(typeIs(value(parent), "object")));
    tests.add(test(condition, value(path)));
    return tests.size() == 1 ? tests.get(0) : all(tests);
  }

  /** Where a condition on one attribute looks. */
  static Path path(Condition condition) {
    if (condition instanceof Condition.Exists exists) {
      return exists.path();
    }
    if (condition instanceof Condition.Compare compare) {
      return compare.path();
    }
    if (condition instanceof Condition.In in) {
      return in.path();
    }
    if (condition instanceof Condition.Contains contains) {
      return contains.path();
    }
    if (condition instanceof Condition.SizeBelow below) {
      return below.path();
    }
    return ((Condition.OfKind) condition).path();
  }

  /** Whether a condition asks for one of some top-level fields. */
  static boolean touches(Condition condition, Set<String> fields) {
    if (condition instanceof Condition.And and) {
      return and.all().stream().anyMatch(part -> touches(part, fields));
    }
    if (condition instanceof Condition.Or or) {
      return or.any().stream().anyMatch(part -> touches(part, fields));
    }
    return condition instanceof Condition.Not not
        ? touches(not.condition(), fields)
        : fields.contains(path(condition).segments().get(0));
  }

  static BsonString value(Path path) {
    return new BsonString(MongoNames.expression(path));
  }

  BsonValue test(Condition condition, BsonValue value) {
    if (condition instanceof Condition.Exists) {
      return not(ofMarks ? MongoExpressions.isNoMark(value) : isMissing(value));
    }
    if (condition instanceof Condition.Compare compare) {
      return compare(compare.operator(), MongoValues.encode(compare.value(), registry), value);
    }
    if (condition instanceof Condition.In in) {
      return op("$in", value, literal(new BsonArray(equals(in.values()))));
    }
    if (condition instanceof Condition.Contains contains) {
      List<BsonValue> forms = equals(List.of(contains.value()));
      return any(
          forms.stream().map(form -> op("$in", literal(form), arrayOrEmpty(value))).toList());
    }
    if (condition instanceof Condition.SizeBelow below) {
      BsonValue characters =
          cond(typeIs(value, "string"), op("$strLenCP", value), literal(number(Integer.MAX_VALUE)));
      return op("$lt", cond(isArray(value), size(value), characters), number(below.size()));
    }
    return ofKind(((Condition.OfKind) condition).kind(), value);
  }

  private List<BsonValue> equals(List<Object> values) {
    return values.stream()
        .map(value -> MongoValues.encode(value, registry))
        .flatMap(value -> MongoValues.equals(value).stream())
        .toList();
  }

  private static BsonValue compare(
      Condition.Operator operator, BsonValue operand, BsonValue value) {
    if (operator == Condition.Operator.EQUAL) {
      return op("$in", value, literal(new BsonArray(MongoValues.equals(operand))));
    }
    if (!isOrdered(operand)) {
      return BsonBoolean.FALSE;
    }
    BsonDocument test = op(operator(operator), value, literal(operand));
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
    return switch (kind) {
      case STRING -> typeIs(value, "string");
      case NUMBER -> op("$isNumber", value);
      case BINARY -> typeIs(value, "binData");
      case NULL -> typeIs(value, "null");
      default -> isArrayOf(isElementOf(kind), value);
    };
  }

  /** Whether values of this kind are arrays here. */
  static boolean isSet(Condition.Kind kind) {
    return switch (kind) {
      case STRING_SET, NUMBER_SET, BINARY_SET -> true;
      case STRING, NUMBER, BINARY, NULL -> false;
    };
  }

  /** Whether {@code $$this} may be an element of such a set. */
  static BsonValue isElementOf(Condition.Kind set) {
    return switch (set) {
      case NUMBER_SET -> op("$isNumber", THIS);
      case BINARY_SET -> typeIs(THIS, "binData");
      default -> typeIs(THIS, "string");
    };
  }

  private static BsonValue isArrayOf(BsonValue test, BsonValue value) {
    BsonDocument others = filter(arrayOrEmpty(value), not(test));
    return all(List.of(isArray(value), op("$eq", size(others), number(0))));
  }
}
