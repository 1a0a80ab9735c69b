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
import static dev.tidemark.mongodb.Expressions.op;
import static dev.tidemark.mongodb.Expressions.typeIs;

import dev.tidemark.Condition;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Ids;
import dev.tidemark.kernel.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Conditions as aggregation expressions: rules of the caller's, strict about types as the kernel's
 * evaluator is, and guards over tracking's own marks. Guards are small, since servers parse them
 * with every write. They take it that marks have the types which tracking gives them: where these
 * have others, the server refuses to evaluate, or what the guard says is not what the marks say.
 */
final class Conditions {
  /** So many values are sought one by one. */
  private static final int FEW = 3;

  private final PropertyValues values;
  private final List<BsonValue> slots = new ArrayList<>();
  private final BsonArray ids = new BsonArray();
  private final boolean ofMarks;

  /** For rules. */
  Conditions(PropertyValues values) {
    this.values = values;
    this.ofMarks = false;
  }

  /** For guards of writes that record some messages, of ids in the form of the policy. */
  Conditions(Context<?> context, List<Message> messages) {
    this(context, messages, false);
  }

  /** For an answer that tells of a message whether its id is known, whatever form it has. */
  static Conditions ofAnyForm(Context<?> context, Message message) {
    return new Conditions(context, List.of(message), true);
  }

  private Conditions(Context<?> context, List<Message> messages, boolean anyForm) {
    this.values = context.mapping().values();
    this.ofMarks = true;
    for (Message message : messages) {
      if (message instanceof MessageId id) {
        boolean compact = context.tracking().messageIds().isCompact();
        List<Object> forms = anyForm ? Ids.allForms(id) : List.of(Ids.stored(id, compact));
        forms.forEach(form -> ids.addAll(Values.equals(Values.mark(form))));
      }
    }
    for (int slot = 0; !ids.isEmpty() && slot <= Names.CLOSED_SLOTS; slot++) {
      slots.add(Expressions.value(Path.of(context.names().ids(slot))));
    }
  }

  BsonValue render(Condition condition) {
    if (condition instanceof Condition.Test test) {
      return inDocuments(test);
    }
    Condition.Joined joined = (Condition.Joined) condition;
    return switch (joined.join()) {
      case AND -> every(joined.parts());
      case OR -> some(joined.parts());
      case NOT -> isNot(joined.part());
    };
  }

  /** A guard, which asks once whether the messages' ids are known. */
  BsonValue guard(Condition guard) {
    BsonValue others = render(guard);
    return ids.isEmpty() ? others : all(List.of(others, not(known())));
  }

  /** Whether a slot has a message's id. */
  BsonValue known() {
    BsonValue slot = op("$ifNull", THIS, new BsonArray());
    BsonValue known =
        ids.size() > FEW
            ? op("$ne", op("$setIntersection", slot, literal(ids)), new BsonArray())
            : any(ids.stream().map(id -> op("$in", literal(id), slot)).toList());
    BsonDocument mapped = new BsonDocument("input", slots()).append("in", known);
    return op("$in", BsonBoolean.TRUE, op("$map", mapped));
  }

  /** All ids, those of the open slot first. */
  BsonArray slots() {
    return new BsonArray(slots);
  }

  private BsonValue every(List<Condition> parts) {
    List<BsonValue> tests = new ArrayList<>();
    for (Condition part : parts) {
      if (!ofMarks || !isOfIds(part)) {
        tests.add(render(part));
      }
    }
    return tests.size() == 1 ? tests.get(0) : all(tests);
  }

  /** Whether a condition asks that ids are unknown, which is asked for once. */
  private static boolean isOfIds(Condition condition) {
    return condition instanceof Condition.Joined joined
        && joined.join() == Condition.Join.NOT
        && (joined.part() instanceof Condition.Joined inner
            ? inner.join() == Condition.Join.OR
                && inner.parts().stream().allMatch(Conditions::isOfSlot)
            : isOfSlot(joined.part()));
  }

  private static boolean isOfSlot(Condition condition) {
    return condition instanceof Condition.Test test
        && test.operator() == Condition.Operator.CONTAINS
        && test.path().segments().size() == 1;
  }

  /** To a guard what is missing comes before every number, and all that is no number behind. */
  private BsonValue some(List<Condition> parts) {
    if (ofMarks
        && parts.size() == 2
        && parts.get(0) instanceof Condition.Test less
        && less.operator() == Condition.Operator.LESS
        && less.value() instanceof Number
        && parts.get(1).equals(Condition.attribute(less.path()).isMissing())) {
      return op("$lt", Expressions.value(less.path()), literal(Values.mark(less.value())));
    }
    return any(parts.stream().map(this::render).toList());
  }

  private BsonValue isNot(Condition part) {
    if (ofMarks && part instanceof Condition.Test test) {
      BsonValue value = Expressions.value(test.path());
      if (test.operator() == Condition.Operator.EXISTS) {
        return Expressions.isNoMark(value);
      }
      if (test.operator() == Condition.Operator.OF_KIND && isSet(test.kind()) && isList(test)) {
        BsonValue first = op("$arrayElemAt", value, new BsonInt32(0));
        return not(isOf(test.kind(), first)); // all are of one type
      }
    }
    return not(render(part));
  }

  /** Marks stand in documents. */
  private BsonValue inDocuments(Condition.Test test) {
    List<BsonValue> all = new ArrayList<>();
    if (!ofMarks) {
      Expressions.parents(test.path())
          .forEach(parent -> all.add(typeIs(Expressions.value(parent), "object")));
    }
    all.add(render(test));
    return all.size() == 1 ? all.get(0) : all(all);
  }

  private BsonValue render(Condition.Test test) {
    BsonString value = Expressions.value(test.path());
    return switch (test.operator()) {
      case EQUAL, IN -> op("$in", value, literal(new BsonArray(values.compared(test))));
      case LESS -> compare(value, "$lt", test);
      case AT_MOST -> compare(value, "$lte", test);
      case GREATER -> compare(value, "$gt", test);
      case AT_LEAST -> compare(value, "$gte", test);
      case EXISTS -> ofMarks ? op("$gt", value, BsonNull.VALUE) : not(isMissing(value));
      case CONTAINS -> contains(value, test);
      case SIZE_BELOW -> sizeBelow(value, test);
      case OF_KIND -> ofKind(value, test);
    };
  }

  /** Whether a condition asks for one of some top-level fields. */
  static boolean touches(Condition condition, Set<String> fields) {
    return Evaluator.paths(condition).stream()
        .anyMatch(path -> fields.contains(path.segments().get(0)));
  }

  private BsonValue contains(BsonString value, Condition.Test test) {
    BsonValue array = arrayOrEmpty(value);
    return any(
        values.compared(test).stream().map(form -> op("$in", literal(form), array)).toList());
  }

  private BsonValue sizeBelow(BsonString value, Condition.Test below) {
    if (isList(below)) {
      return op(
          "$lt", op("$size", op("$ifNull", value, new BsonArray())), new BsonInt32(below.size()));
    }
    BsonValue characters =
        cond(
            typeIs(value, "string"),
            op("$strLenCP", value),
            literal(new BsonInt32(Integer.MAX_VALUE)));
    return op(
        "$lt", cond(isArray(value), op("$size", value), characters), new BsonInt32(below.size()));
  }

  private BsonValue compare(BsonString value, String operator, Condition.Test bound) {
    BsonValue operand = values.compared(bound).get(0);
    BsonDocument test = op(operator, value, literal(operand));
    BsonValue sameKind =
        operand.isNumber()
            ? op("$isNumber", value)
            : op("$eq", op("$type", value), op("$type", literal(operand)));
    return all(List.of(sameKind, test));
  }

  private BsonValue ofKind(BsonString value, Condition.Test test) {
    Condition.Kind kind = test.kind();
    if (!isSet(kind)) {
      return isOf(kind, value);
    }
    BsonValue isOther = not(isOf(kind, THIS));
    return isList(test)
        ? op("$eq", filter(value, isOther), new BsonArray()) // null where nothing is
        : all(
            List.of(
                isArray(value),
                op("$eq", op("$size", filter(arrayOrEmpty(value), isOther)), new BsonInt32(0))));
  }

  /** Whether tracking keeps an array there; what is none is an error. */
  private boolean isList(Condition.Test test) {
    List<String> segments = test.path().segments();
    boolean array = segments.size() == 1 || segments.get(segments.size() - 1).endsWith("#seen");
    return ofMarks && array;
  }

  /** Whether values of this kind are arrays here. */
  static boolean isSet(Condition.Kind kind) {
    return switch (kind) {
      case STRING_SET, NUMBER_SET, BINARY_SET -> true;
      case STRING, NUMBER, BINARY, NULL, LIST -> false;
    };
  }

  /** The type of values of this kind, or of the elements if it is a set. */
  static String type(Condition.Kind kind) {
    return switch (kind) {
      case STRING, STRING_SET -> "string";
      case NUMBER, NUMBER_SET -> "number";
      case BINARY, BINARY_SET -> "binData";
      case NULL -> "null";
      case LIST -> "array";
    };
  }

  /** Whether a value has that type. */
  static BsonValue isOf(Condition.Kind kind, BsonValue value) {
    String type = type(kind);
    return type.equals("number") ? op("$isNumber", value) : typeIs(value, type);
  }

  /**
   * How many sources have marks in a document, whose other parts have a {@code #} in their names.
   */
  static BsonValue sources(Names names) {
    BsonValue part = op("$indexOfCP", new BsonString("$$this.k"), new BsonString("#"));
    BsonValue marks = op("$objectToArray", new BsonString("$$type.v"));
    BsonValue count = op("$size", filter(marks, op("$lt", part, new BsonInt32(0))));
    BsonValue isDocument = typeIs(new BsonString("$$type.v"), "object");
    BsonValue all = Expressions.value(Path.of(MarkFields.sources(names)));
    BsonValue types = cond(typeIs(all, "object"), op("$objectToArray", all), new BsonArray());
    BsonDocument mapped = new BsonDocument("input", types).append("as", new BsonString("type"));
    mapped.append("in", cond(isDocument, count, new BsonInt32(0)));
    return op("$sum", op("$map", mapped));
  }
}
