package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.all;
import static dev.tidemark.mongodb.Expressions.any;
import static dev.tidemark.mongodb.Expressions.cond;
import static dev.tidemark.mongodb.Expressions.isArray;
import static dev.tidemark.mongodb.Expressions.isMissing;
import static dev.tidemark.mongodb.Expressions.literal;
import static dev.tidemark.mongodb.Expressions.not;
import static dev.tidemark.mongodb.Expressions.op;
import static dev.tidemark.mongodb.Expressions.typeIs;

import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** What the stored document has to look like for operations to fit it. */
final class Shapes {
  /** What has to be true, and what is said where it is not. */
  private record Requirement(String text, BsonValue test) {}

  private static final BsonArray KEPT = Expressions.strings("missing", "int", "long", "double");

  private static final BsonInt64 NOTHING = new BsonInt64(0);

  private static final BsonString SUM = new BsonString("$$sum");

  private final List<Operation> operations;
  private final CodecRegistry registry;
  private final Properties properties;
  private final Operation.Cases<List<Requirement>> cases;
  private @Nullable List<Requirement> requirements;

  Shapes(List<Operation> operations, Context<?> context) {
    this.operations = operations;
    this.registry = context.registry();
    this.properties = context.mapping().properties();
    this.cases =
        new Operation.Cases<>(
            assign -> List.of(),
            assign -> List.of(),
            this::isNumber,
            Shapes::isArrayOrMissing,
            Shapes::isArrayOrMissing,
            Shapes::isArrayOrMissing,
            remove -> List.of());
  }

  /** All of them, which most calls do not need. */
  private List<Requirement> requirements() {
    List<Requirement> all = requirements;
    if (all == null) {
      all = new ArrayList<>();
      for (Operation operation : operations) {
        addParents(operation, all);
        all.addAll(operation.match(cases));
      }
      requirements = all;
    }
    return all;
  }

  private static void addParents(Operation operation, List<Requirement> all) {
    for (Path parent : FieldNames.parents(operation.path())) {
      String text = "parent of '" + operation.path() + "' is missing or not a document";
      all.add(new Requirement(text, Operations.isDocument(parent)));
    }
  }

  private List<Requirement> isNumber(Operation.Increase increase) {
    BsonValue stored = Conditions.value(increase.path());
    String name = "'" + increase.path() + "'";
    List<Requirement> all = new ArrayList<>();
    BsonValue isNumber = any(List.of(isMissing(stored), op("$isNumber", stored)));
    all.add(new Requirement(name + " is not a number", isNumber));
    all.add(new Requirement(name + " would overflow", fits(increase, registry)));
    Long highest = properties.highest(increase.path());
    if (highest != null && mayLeave(highest, amount(increase, registry))) {
      all.add(new Requirement(name + " would overflow", holds(highest, increase)));
    }
    return all;
  }

  private static List<Requirement> isArrayOrMissing(Operation operation) {
    BsonValue stored = Conditions.value(operation.path());
    BsonValue mayBeArray = any(List.of(isMissing(stored), isArray(stored)));
    return List.of(new Requirement("'" + operation.path() + "' is not an array", mayBeArray));
  }

  /** Whether a whole sum stays far enough from the bounds of 64 bits. */
  private static List<BsonValue> takes(BsonValue stored, BsonInt64 amount) {
    BsonValue same = op("$eq", op("$subtract", op("$add", stored, amount), amount), stored);
    BsonValue exact = all(List.of(typeIs(stored, "decimal"), same));
    BsonValue isNumber = any(List.of(op("$in", op("$type", stored), KEPT), exact));
    long by = amount.getValue();
    BsonValue room =
        by >= 0
            ? op("$lte", stored, new BsonInt64(Long.MAX_VALUE - by))
            : op("$gte", op("$ifNull", stored, NOTHING), new BsonInt64(Long.MIN_VALUE - by));
    return List.of(isNumber, room);
  }

  /** Whether a sum may stay a whole number of 64 bits, and leave the property's range. */
  private static boolean mayLeave(long highest, BsonValue amount) {
    return highest < Long.MAX_VALUE || !amount.isInt64();
  }

  /** Whether a sum stays within the range of the property. */
  private BsonValue holds(long highest, Operation.Increase increase) {
    BsonValue within =
        all(
            List.of(
                op("$lte", SUM, new BsonInt64(highest)),
                op("$gte", SUM, new BsonInt64(-highest - 1))));
    BsonDocument sum = new BsonDocument("sum", Operations.sum(increase, registry));
    return op("$let", new BsonDocument("vars", sum).append("in", within));
  }

  /** Whole numbers of up to 64 bits stay such; decimals stay exact. */
  private static BsonValue fits(Operation.Increase increase, CodecRegistry registry) {
    BsonValue stored = Conditions.value(increase.path());
    BsonValue amount = amount(increase, registry);
    BsonValue exact =
        any(
            List.of(
                not(typeIs(SUM, "decimal")),
                op("$eq", op("$subtract", SUM, literal(amount)), numberOrZero(stored))));
    BsonValue fits = exact;
    if (amount.isInt64()) {
      BsonValue stays = isOneOf(SUM, "int", "long");
      BsonValue mayLeave = not(isOneOf(stored, "missing", "int", "long"));
      fits = any(List.of(stays, all(List.of(mayLeave, exact))));
    }
    BsonDocument sum = new BsonDocument("sum", Operations.sum(increase, registry));
    return op("$let", new BsonDocument("vars", sum).append("in", fits));
  }

  private static BsonValue isOneOf(BsonValue value, String... types) {
    return op("$in", op("$type", value), Expressions.strings(types));
  }

  private static BsonValue numberOrZero(BsonValue stored) {
    return cond(op("$isNumber", stored), stored, literal(new BsonInt64(0)));
  }

  /** Whole amounts have 64 bits, so that sums do. */
  static BsonValue amount(Operation.Increase increase, CodecRegistry registry) {
    BsonValue amount = Values.encode(increase.amount(), registry);
    return amount.isInt32() ? new BsonInt64(amount.asInt32().getValue()) : amount;
  }

  /** Whether all fits. */
  BsonValue test() {
    return tests(requirements());
  }

  private static BsonValue tests(List<Requirement> requirements) {
    return all(requirements.stream().map(Requirement::test).toList());
  }

  /** The same in less, which refuses a few that fit too. */
  BsonValue small() {
    List<BsonValue> tests = new ArrayList<>();
    List<Requirement> others = new ArrayList<>();
    for (Operation operation : operations) {
      addParents(operation, others);
      if (operation instanceof Operation.Increase increase
          && amount(increase, registry) instanceof BsonInt64 amount) {
        tests.addAll(takes(Conditions.value(operation.path()), amount));
        Long highest = properties.highest(operation.path());
        if (highest != null && mayLeave(highest, amount)) {
          tests.add(holds(highest, increase));
        }
      } else {
        others.addAll(operation.match(cases));
      }
    }
    tests.add(0, tests(others));
    return all(tests);
  }

  /** The number of the first requirement that is not met, or -1. */
  BsonValue firstUnmet() {
    if (requirements().isEmpty()) {
      return literal(new BsonInt32(-1));
    }
    BsonArray branches = new BsonArray();
    int number = 0;
    for (Requirement requirement : requirements()) {
      branches.add(
          new BsonDocument("case", not(requirement.test()))
              .append("then", literal(new BsonInt32(number++))));
    }
    return op(
        "$switch",
        new BsonDocument("branches", branches).append("default", literal(new BsonInt32(-1))));
  }

  /** What the requirement of that number says. */
  String unmet(int number) {
    return requirements().get(number).text();
  }

  /** The same as filters, for writes by operators. */
  static List<BsonDocument> filters(List<Operation> operations, Context<?> context) {
    Operation.Cases<List<BsonDocument>> cases =
        new Operation.Cases<>(
            assign -> List.of(),
            assign -> List.of(),
            increase -> numberFilters(increase, context),
            Shapes::arrayFilters,
            Shapes::arrayFilters,
            remove -> List.of(), // which a writer has worked out
            remove -> List.of());
    List<BsonDocument> filters = new ArrayList<>();
    for (Operation operation : operations) {
      filters.addAll(Filters.parents(operation.path()));
      filters.addAll(operation.match(cases));
    }
    return filters;
  }

  private static List<BsonDocument> numberFilters(Operation.Increase increase, Context<?> context) {
    String path = FieldNames.dotted(increase.path());
    List<BsonDocument> filters = new ArrayList<>();
    filters.add(orMissing(path, "number"));
    BsonValue amount = amount(increase, context.registry());
    if (amount.isInt64()) {
      filters.add(Filters.hasRoom(path, amount.asInt64().getValue()));
      Long highest = context.mapping().properties().highest(increase.path());
      if (highest != null && highest < Long.MAX_VALUE) {
        filters.add(Filters.holds(path, amount.asInt64().getValue(), highest));
      }
    }
    return filters;
  }

  private static List<BsonDocument> arrayFilters(Operation operation) {
    return List.of(orMissing(FieldNames.dotted(operation.path()), "array"));
  }

  private static BsonDocument orMissing(String path, String type) {
    BsonDocument test = new BsonDocument("$type", new BsonString(type));
    if (!type.equals("array")) {
      test.append("$not", new BsonDocument("$type", new BsonString("array")));
    }
    BsonDocument ofType = new BsonDocument(path, test);
    return new BsonDocument("$or", new BsonArray(List.of(Filters.exists(path, false), ofType)));
  }
}
