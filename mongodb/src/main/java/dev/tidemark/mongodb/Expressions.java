package dev.tidemark.mongodb;

import dev.tidemark.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The words of MongoDB's aggregation expressions, as far as they are used here. */
final class Expressions {
  static final BsonString ROOT = new BsonString("$$ROOT");
  static final BsonString REMOVED = new BsonString("$$REMOVE");
  static final BsonString THIS = new BsonString("$$this");

  private Expressions() {}

  static BsonDocument op(String operator, BsonValue operand) {
    BsonDocument document = new BsonDocument(2); // commands have hundreds of these
    document.put(operator, operand);
    return document;
  }

  static BsonDocument op(String operator, BsonValue first, BsonValue second) {
    BsonArray operands = new BsonArray(2);
    operands.add(first);
    operands.add(second);
    return op(operator, operands);
  }

  /** A value that is never read as an expression; numbers and the like are none as they are. */
  static BsonValue literal(BsonValue value) {
    boolean plain = value.isNumber() || value.isBoolean() || value.isBinary();
    return plain ? value : op("$literal", value);
  }

  static BsonDocument cond(BsonValue test, BsonValue then, BsonValue otherwise) {
    return op("$cond", new BsonArray(List.of(test, then, otherwise)));
  }

  static BsonDocument all(List<? extends BsonValue> tests) {
    BsonArray all = new BsonArray();
    for (BsonValue test : tests) {
      if (test.isDocument() && test.asDocument().get("$and") instanceof BsonArray nested) {
        all.addAll(nested);
      } else {
        all.add(test);
      }
    }
    return op("$and", all);
  }

  static BsonDocument any(List<? extends BsonValue> tests) {
    return op("$or", new BsonArray(tests));
  }

  static BsonDocument not(BsonValue test) {
    return op("$not", new BsonArray(List.of(test)));
  }

  static BsonDocument typeIs(BsonValue value, String type) {
    return op("$eq", op("$type", value), new BsonString(type));
  }

  static BsonDocument isMissing(BsonValue value) {
    return typeIs(value, "missing");
  }

  /** Whether there is no mark: only what is missing comes before null. */
  static BsonDocument isNoMark(BsonValue value) {
    return op("$lte", value, BsonNull.VALUE);
  }

  static BsonDocument isArray(BsonValue value) {
    return op("$isArray", new BsonArray(List.of(value)));
  }

  /** The array itself, or an empty one in place of anything else. */
  static BsonDocument arrayOrEmpty(BsonValue value) {
    return cond(isArray(value), value, literal(new BsonArray()));
  }

  static BsonDocument filter(BsonValue input, BsonValue test) {
    return op("$filter", new BsonDocument("input", input).append("cond", test));
  }

  /** What is stored at a path. */
  static BsonString value(Path path) {
    return new BsonString("$" + String.join(".", path.segments()));
  }

  /** The paths of the documents around a value, outermost first. */
  static List<Path> parents(Path path) {
    return IntStream.range(1, path.segments().size())
        .mapToObj(length -> new Path(path.segments().subList(0, length)))
        .toList();
  }
}
