package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.op;

import dev.tidemark.Condition;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * Conditions as filters, for writes by operators. A filter looks into arrays on its own; these do
 * not, so that they mean what the expressions of {@link MongoConditions} mean.
 */
final class MongoFilters {
  private static final BsonDocument NEVER = op("_id", op("$in", new BsonArray()));

  private final CodecRegistry registry;

  MongoFilters(CodecRegistry registry) {
    this.registry = registry;
  }

  BsonDocument render(Condition condition) {
    if (condition instanceof Condition.And and) {
      return all(and.all().stream().map(this::render).toList());
    }
    if (condition instanceof Condition.Or or) {
      return any(or.any().stream().map(this::render).toList());
    }
    if (condition instanceof Condition.Not not) {
      return none(render(not.condition()));
    }
    Path path = MongoConditions.path(condition);
    List<BsonDocument> tests = new ArrayList<>(parents(path));
    tests.add(test(condition, MongoNames.dotted(path)));
    return all(tests);
  }

  static BsonDocument all(List<BsonDocument> filters) {
    if (filters.size() == 1) {
      return filters.get(0);
    }
    return filters.isEmpty() ? new BsonDocument() : op("$and", new BsonArray(filters));
  }

  static BsonDocument any(List<BsonDocument> filters) {
    if (filters.size() == 1) {
      return filters.get(0);
    }
    return filters.isEmpty() ? NEVER : op("$or", new BsonArray(filters));
  }

  static BsonDocument none(BsonDocument filter) {
    return op("$nor", new BsonArray(List.of(filter)));
  }

  static List<BsonDocument> parents(Path path) {
    return MongoNames.parents(path).stream().map(MongoFilters::isDocument).toList();
  }

  private static BsonDocument isDocument(Path path) {
    return op(MongoNames.dotted(path), ofType("object"));
  }

  static BsonDocument exists(String path, boolean exists) {
    return op(path, op("$exists", BsonBoolean.valueOf(exists)));
  }

  static BsonDocument isArray(String path) {
    return op(path, op("$type", new BsonString("array")));
  }

  private static BsonDocument ofType(String type) {
    return notArray(op("$type", new BsonString(type)));
  }

  private static BsonDocument notArray(BsonDocument test) {
    return test.append("$not", op("$type", new BsonString("array")));
  }

  BsonDocument test(Condition condition, String path) {
    if (condition instanceof Condition.Exists) {
      return exists(path, true);
    }
    if (condition instanceof Condition.Compare compare) {
      return compare(compare.operator(), MongoValues.encode(compare.value(), registry), path);
    }
    if (condition instanceof Condition.In in) {
      return isOneOf(path, equals(in.values()));
    }
    if (condition instanceof Condition.Contains contains) {
      BsonArray forms = new BsonArray(equals(List.of(contains.value())));
      return hasElement(path, op("$in", forms));
    }
    if (condition instanceof Condition.SizeBelow below) {
      return sizeBelow(path, below.size());
    }
    return ofKind(path, ((Condition.OfKind) condition).kind());
  }

  private List<BsonValue> equals(List<Object> values) {
    return values.stream()
        .map(value -> MongoValues.encode(value, registry))
        .flatMap(value -> MongoValues.equals(value).stream())
        .toList();
  }

  private static BsonDocument compare(Condition.Operator operator, BsonValue operand, String path) {
    if (operator == Condition.Operator.EQUAL) {
      return isOneOf(path, MongoValues.equals(operand));
    }
    if (!MongoConditions.isOrdered(operand)) {
      return NEVER;
    }
    String word = MongoConditions.operator(operator);
    return op(path, notArray(op(word, operand)));
  }

  private static BsonDocument isOneOf(String path, List<BsonValue> values) {
    boolean none = values.stream().allMatch(value -> value.getBsonType() == BsonType.NULL);
    return none ? NEVER : op(path, notArray(op("$in", new BsonArray(values))));
  }

  private static BsonDocument hasElement(String path, BsonDocument test) {
    return op(path, op("$elemMatch", test));
  }

  private static BsonDocument sizeBelow(String path, int size) {
    BsonDocument array = all(List.of(isArray(path), exists(path + "." + (size - 1), false)));
    return any(List.of(array, shorterThan(path, size)));
  }

  static BsonDocument shorterThan(String path, int size) {
    BsonDocument shorter =
        op("$regex", new BsonString(shorterThan(size))).append("$options", new BsonString("s"));
    return op(path, notArray(shorter));
  }

  /** Regular expressions count to 65,535 at most: repetitions of repetitions count further. */
  private static String shorterThan(int size) {
    int longest = size - 1;
    int unit = 10_000;
    String counted =
        longest <= unit
            ? ".{0," + longest + "}"
            : String.format(
                "(?:.{%d}){0,%d}.{0,%d}.{0,%d}", unit, longest / unit - 1, unit, longest % unit);
    return "^" + counted + "\\z";
  }

  private static BsonDocument ofKind(String path, Condition.Kind kind) {
    return switch (kind) {
      case STRING -> op(path, ofType("string"));
      case NUMBER -> op(path, ofType("number"));
      case BINARY -> op(path, ofType("binData"));
      case NULL -> op(path, ofType("null"));
      case STRING_SET -> isArrayOf(path, "string");
      case NUMBER_SET -> isArrayOf(path, "number");
      case BINARY_SET -> isArrayOf(path, "binData");
    };
  }

  private static BsonDocument isArrayOf(String path, String type) {
    BsonDocument other = op("$not", op("$type", new BsonString(type)));
    return all(List.of(isArray(path), none(hasElement(path, other))));
  }

  /** Whether a number can take an amount without leaving the whole numbers of 64 bits. */
  static BsonDocument hasRoom(String path, long amount) {
    BsonDocument within =
        amount >= 0
            ? op("$lte", MongoValues.mark(Long.MAX_VALUE - amount))
            : op("$gte", MongoValues.mark(Long.MIN_VALUE - amount));
    return any(
        List.of(
            none(
                any(
                    List.of(
                        op(path, op("$type", new BsonInt32(16))),
                        op(path, op("$type", new BsonInt32(18)))))),
            op(path, within)));
  }

  /**
   * Whether a number is missing, or can take an amount without leaving the range of its property.
   */
  static BsonDocument holds(String path, long amount, long highest) {
    BsonDocument within =
        amount >= 0
            ? op("$lte", MongoValues.mark(highest - amount))
            : op("$gte", MongoValues.mark(-highest - 1 - amount));
    return any(List.of(exists(path, false), op(path, within)));
  }

  static BsonDocument missingOrAtLeast(Path path, Object value) {
    String dotted = MongoNames.dotted(path);
    BsonDocument enough = op(dotted, op("$gte", MongoValues.mark(value)));
    return any(List.of(exists(dotted, false), enough));
  }

  /** Whether a field is what it was when the document was read. */
  static BsonDocument isStill(Path path, BsonDocument document) {
    String dotted = MongoNames.dotted(path);
    BsonValue value = MongoValues.at(document, path);
    return value == null ? exists(dotted, false) : op(dotted, op("$eq", value));
  }
}
