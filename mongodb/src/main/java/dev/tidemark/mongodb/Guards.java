package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.Condition;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Guards over tracking's own marks as filters, which servers parse with every write: one document
 * wherever names allow, and no questions that the write itself answers. A mark under what is no
 * document fails the write; only an array under a name of digits would take it as an element.
 */
final class Guards {
  private static final int TYPES = 4;
  private static final int FEW = 16;

  private final Filters values;
  private final Condition.Cases<BsonDocument> cases;
  private final BsonDocument room;
  private final String full;
  private final Set<String> lists = new LinkedHashSet<>();

  private Guards(Context<?> context, BsonDocument room) {
    this.values = new Filters(context.registry());
    this.full = context.names().full();
    this.room = room;
    this.cases =
        new Condition.Cases<>(
            this::all,
            or -> Filters.any(or.any().stream().map(this::render).toList()),
            not -> not(not.condition()),
            this::test);
  }

  /** The guard, refusing a new source also where it may be the last that fits. */
  static BsonDocument of(Context<?> context, Condition guard) {
    int others = Math.max(0, context.tracking().maxSources() - 2);
    int types = others < FEW ? Math.min(1, others) : TYPES;
    BsonDocument ofType =
        new BsonDocument("maxProperties", new BsonInt32(types == 0 ? 0 : others / types));
    BsonDocument events =
        new BsonDocument("maxProperties", new BsonInt32(types))
            .append("additionalProperties", ofType);
    BsonDocument schema =
        new BsonDocument("properties", new BsonDocument(Sources.field(context.names()), events));
    return new Guards(context, new BsonDocument("$jsonSchema", schema)).filter(guard);
  }

  private BsonDocument filter(Condition guard) {
    BsonDocument filter = render(guard);
    for (String list : lists) {
      merge(filter, list, new BsonDocument("$not", type("array")));
    }
    return filter;
  }

  private BsonDocument render(Condition condition) {
    return condition.match(cases);
  }

  private BsonDocument all(Condition.And and) {
    BsonDocument all = new BsonDocument();
    and.all().forEach(part -> render(part).forEach((name, test) -> merge(all, name, test)));
    return all;
  }

  private BsonDocument test(Condition.Test test) {
    String name = checked(test);
    if (!(test instanceof Condition.SizeBelow below)) {
      return values.test(test);
    }
    boolean list = test.path().segments().size() == 1 || name.endsWith("#seen");
    return list
        ? Filters.exists(name + "." + (below.size() - 1), false)
        : Filters.shorterThan(name, below.size());
  }

  private BsonDocument not(Condition condition) {
    if (condition instanceof Condition.Exists exists) {
      String name = checked(exists);
      BsonDocument missing = Filters.exists(name, false);
      if (name.equals(full)) {
        missing.putAll(room);
      }
      return missing;
    }
    if (condition instanceof Condition.Contains contains) {
      BsonArray forms = new BsonArray(Values.equals(Values.mark(contains.value())));
      return op(checked(contains), op("$nin", forms));
    }
    return Filters.none(render(condition));
  }

  /** The field's name; notes the arrays that must not stand where documents belong. */
  private String checked(Condition.Test test) {
    List<String> segments = test.path().segments();
    for (int i = 1; i < segments.size(); i++) {
      if (isNumber(segments.get(i))) {
        lists.add(String.join(".", segments.subList(0, i)));
      }
    }
    return FieldNames.dotted(test.path());
  }

  private static boolean isNumber(String name) {
    return name.chars().allMatch(Character::isDigit);
  }

  private static BsonDocument type(String type) {
    return op("$type", new BsonString(type));
  }

  /** Adds a test beside others. */
  static void merge(BsonDocument filter, String name, BsonValue test) {
    BsonValue before = filter.get(name);
    if (before == null) {
      filter.put(name, test);
    } else if (name.equals("$and")) {
      before.asArray().addAll(test.asArray());
    } else if (!before.equals(test) && !joins(before, test)) {
      BsonArray further = filter.getArray("$and", new BsonArray());
      further.add(new BsonDocument(name, test));
      filter.put("$and", further);
    }
  }

  /** Puts operators on one field into one document, if no two are the same. */
  private static boolean joins(BsonValue before, BsonValue test) {
    if (!before.isDocument() || !test.isDocument()) {
      return false;
    }
    for (Map.Entry<String, BsonValue> entry : test.asDocument().entrySet()) {
      BsonValue same = before.asDocument().get(entry.getKey());
      boolean more = entry.getKey().equals("$nin");
      if (!entry.getKey().startsWith("$")
          || (same != null && !more && !same.equals(entry.getValue()))) {
        return false;
      }
    }
    test.asDocument()
        .forEach(
            (operator, operand) -> {
              BsonValue same = before.asDocument().putIfAbsent(operator, operand);
              if (same != null && operator.equals("$nin")) {
                same.asArray().addAll(operand.asArray());
              }
            });
    return true;
  }
}
