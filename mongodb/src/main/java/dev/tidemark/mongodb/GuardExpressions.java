package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.all;
import static dev.tidemark.mongodb.Expressions.any;
import static dev.tidemark.mongodb.Expressions.literal;
import static dev.tidemark.mongodb.Expressions.not;
import static dev.tidemark.mongodb.Expressions.number;
import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.Condition;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Path;
import dev.tidemark.kernel.Ids;
import dev.tidemark.kernel.Names;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Guards over tracking's own marks as expressions that are small, since servers parse them with
 * every write. They take it that marks have the types which tracking gives them: where these have
 * others, the server refuses to evaluate, or what the guard says is not what the marks say.
 */
final class GuardExpressions {
  /** So many values are sought one by one. */
  private static final int FEW = 3;

  private final Condition.Tests<BsonValue> tests;
  private final Condition.Cases<BsonValue> cases;
  private final Names names;
  private final boolean compact;
  private final List<MessageId> ids;

  GuardExpressions(Context<?> context, List<Message> messages) {
    Conditions conditions = new Conditions(context.registry());
    this.tests =
        new Condition.Tests<>(
            conditions::test,
            exists -> op("$gt", Expressions.value(exists.path()), BsonNull.VALUE),
            conditions::test,
            conditions::test,
            below ->
                isOfList(below)
                    ? op("$lt", Expressions.size(list(below)), number(below.size()))
                    : conditions.test(below),
            ofKind ->
                isOfList(ofKind) && Conditions.isSet(ofKind.kind())
                    ? isListOf(ofKind)
                    : conditions.test(ofKind));
    this.cases =
        new Condition.Cases<>(
            this::every,
            this::some,
            not ->
                not.condition() instanceof Condition.Exists missing
                    ? Expressions.isNoMark(Expressions.value(missing.path()))
                    : not(expression(not.condition())),
            test -> test.match(tests));
    this.names = context.names();
    this.compact = context.tracking().messageIds().isCompact();
    this.ids =
        messages.stream().filter(MessageId.class::isInstance).map(MessageId.class::cast).toList();
  }

  /** The guard. */
  BsonValue render(Condition guard) {
    List<BsonValue> tests = new ArrayList<>();
    collect(guard, tests);
    if (!ids.isEmpty()) {
      tests.add(not(known()));
    }
    return all(tests);
  }

  private void collect(Condition condition, List<BsonValue> tests) {
    if (condition instanceof Condition.And and) {
      and.all().forEach(part -> collect(part, tests));
    } else if (!isOfIds(condition)) {
      tests.add(expression(condition));
    }
  }

  /** Whether a condition asks that ids are unknown, which is asked for once. */
  private static boolean isOfIds(Condition condition) {
    if (!(condition instanceof Condition.Not not)) {
      return false;
    }
    return not.condition() instanceof Condition.Or or
        ? or.any().stream().allMatch(GuardExpressions::isOfSlot)
        : isOfSlot(not.condition());
  }

  private static boolean isOfSlot(Condition condition) {
    return condition instanceof Condition.Contains contains
        && contains.path().segments().size() == 1;
  }

  BsonValue expression(Condition condition) {
    return condition.match(cases);
  }

  /** What is missing comes before every number, and all that is no number behind. */
  private BsonValue some(Condition.Or or) {
    boolean isBelow =
        or.any().size() == 2
            && or.any().get(0) instanceof Condition.Compare compare
            && compare.operator() == Condition.Operator.LESS
            && compare.value() instanceof Number
            && or.any().get(1).equals(Condition.attribute(compare.path()).isMissing());
    if (isBelow) {
      Condition.Compare compare = (Condition.Compare) or.any().get(0);
      BsonValue bound = literal(Values.mark(compare.value()));
      return op("$lt", Expressions.value(compare.path()), bound);
    }
    return any(or.any().stream().map(this::expression).toList());
  }

  private BsonValue every(Condition.And and) {
    List<BsonValue> tests = new ArrayList<>();
    collect(and, tests);
    return tests.size() == 1 ? tests.get(0) : all(tests);
  }

  /** Whether tracking keeps an array there. */
  private static boolean isOfList(Condition.Test test) {
    List<String> segments = test.path().segments();
    return segments.size() == 1 || segments.get(segments.size() - 1).endsWith("#seen");
  }

  private static BsonValue isListOf(Condition.OfKind ofKind) {
    BsonValue other = not(Conditions.isOf(ofKind.kind(), Expressions.THIS));
    return op("$eq", Expressions.filter(list(ofKind), other), new BsonArray());
  }

  private static BsonValue list(Condition.Test test) {
    return list(Expressions.value(test.path()));
  }

  /** An array; what is none is an error. */
  private static BsonValue list(BsonValue value) {
    return op("$ifNull", value, new BsonArray());
  }

  /**
   * How many sources have marks in a document, whose other parts have a {@code #} in their names.
   */
  static BsonValue sources(Names names) {
    BsonValue part = op("$indexOfCP", new BsonString("$$this.k"), new BsonString("#"));
    BsonValue marks = op("$objectToArray", new BsonString("$$type.v"));
    BsonValue count = Expressions.size(Expressions.filter(marks, op("$lt", part, number(0))));
    BsonValue isDocument = Expressions.typeIs(new BsonString("$$type.v"), "object");
    BsonValue all = Expressions.value(Path.of(MarkFields.sources(names)));
    BsonValue types =
        Expressions.cond(
            Expressions.typeIs(all, "object"), op("$objectToArray", all), new BsonArray());
    BsonDocument mapped = new BsonDocument("input", types).append("as", new BsonString("type"));
    mapped.append("in", Expressions.cond(isDocument, count, number(0)));
    return op("$sum", op("$map", mapped));
  }

  /** Whether a slot has a message's id. */
  BsonValue known() {
    BsonArray forms = new BsonArray();
    for (MessageId id : ids) {
      forms.addAll(Values.equals(Values.mark(Ids.stored(id, compact))));
    }
    BsonDocument mapped = new BsonDocument("input", ids()).append("in", hasOneOf(forms));
    return op("$in", BsonBoolean.TRUE, op("$map", mapped));
  }

  private static BsonValue hasOneOf(BsonArray forms) {
    BsonValue slot = list(Expressions.THIS);
    if (forms.size() > FEW) {
      BsonValue common = op("$setIntersection", slot, literal(forms));
      return op("$ne", common, new BsonArray());
    }
    return any(forms.stream().map(form -> op("$in", literal(form), slot)).toList());
  }

  /** The slots, the open one first. */
  private List<BsonString> slots() {
    List<BsonString> slots = new ArrayList<>();
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      slots.add(Expressions.value(Path.of(names.ids(slot))));
    }
    return slots;
  }

  /** All ids. */
  BsonArray ids() {
    return new BsonArray(slots());
  }
}
