package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

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
 * not, so that they mean what the expressions of {@link Conditions} mean.
 */
final class Filters {
  private static final BsonDocument NEVER = op("_id", op("$in", new BsonArray()));

  private final CodecRegistry registry;
  private final Condition.Tests<BsonDocument> tests;
  private final Condition.Cases<BsonDocument> cases;

  Filters(CodecRegistry registry) {
    this.registry = registry;
    this.tests =
        new Condition.Tests<>(
            this::compare,
            exists -> exists(dotted(exists), true),
            in -> isOneOf(dotted(in), equals(in.values())),
            contains ->
                hasElement(
                    dotted(contains), op("$in", new BsonArray(equals(List.of(contains.value()))))),
            below -> sizeBelow(dotted(below), below.size()),
            ofKind -> ofKind(dotted(ofKind), ofKind.kind()));
    this.cases =
        new Condition.Cases<>(
            and -> all(and.all().stream().map(this::render).toList()),
            or -> any(or.any().stream().map(this::render).toList()),
            not -> none(render(not.condition())),
            this::inDocuments);
  }

  BsonDocument render(Condition condition) {
    return condition.match(cases);
  }

  private BsonDocument inDocuments(Condition.Test test) {
    List<BsonDocument> all = new ArrayList<>(parents(test.path()));
    all.add(test(test));
    return all(all);
  }

  /** A test of an attribute, of which it is known that it stands in documents. */
  BsonDocument test(Condition.Test test) {
    return test.match(tests);
  }

  private static String dotted(Condition.Test test) {
    return FieldNames.dotted(test.path());
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
    return FieldNames.parents(path).stream().map(Filters::isDocument).toList();
  }

  private static BsonDocument isDocument(Path path) {
    return op(FieldNames.dotted(path), ofType("object"));
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

  private List<BsonValue> equals(List<Object> values) {
    return values.stream()
        .map(value -> Values.encode(value, registry))
        .flatMap(value -> Values.equals(value).stream())
        .toList();
  }

  private BsonDocument compare(Condition.Compare compare) {
    BsonValue operand = Values.encode(compare.value(), registry);
    if (compare.operator() == Condition.Operator.EQUAL) {
      return isOneOf(dotted(compare), Values.equals(operand));
    }
    if (!Conditions.isOrdered(operand)) {
      return NEVER;
    }
    String word = Conditions.operator(compare.operator());
    return op(dotted(compare), notArray(op(word, operand)));
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
    String type = Conditions.type(kind);
    if (!Conditions.isSet(kind)) {
      return op(path, ofType(type));
    }
    BsonDocument other = op("$not", op("$type", new BsonString(type)));
    return all(List.of(isArray(path), none(hasElement(path, other))));
  }

  /** Whether a number can take an amount without leaving the whole numbers of 64 bits. */
  static BsonDocument hasRoom(String path, long amount) {
    BsonDocument within =
        amount >= 0
            ? op("$lte", Values.mark(Long.MAX_VALUE - amount))
            : op("$gte", Values.mark(Long.MIN_VALUE - amount));
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
            ? op("$lte", Values.mark(highest - amount))
            : op("$gte", Values.mark(-highest - 1 - amount));
    return any(List.of(exists(path, false), op(path, within)));
  }

  static BsonDocument missingOrAtLeast(Path path, Object value) {
    String dotted = FieldNames.dotted(path);
    BsonDocument enough = op(dotted, op("$gte", Values.mark(value)));
    return any(List.of(exists(dotted, false), enough));
  }

  /** Whether a field is what it was when the document was read. */
  static BsonDocument isStill(Path path, BsonDocument document) {
    String dotted = FieldNames.dotted(path);
    BsonValue value = Values.at(document, path);
    return value == null ? exists(dotted, false) : op(dotted, op("$eq", value));
  }
}
