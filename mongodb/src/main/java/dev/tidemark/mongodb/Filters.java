package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.Condition;
import dev.tidemark.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Guards over tracking's own marks as filters, which servers parse with every write: one document
 * wherever names allow, and no questions that the write itself answers. A filter looks into arrays
 * on its own; these do not, so that they mean what the expressions of {@link Conditions} mean. A
 * mark under what is no document fails the write; only an array under a name of digits would take
 * it as an element.
 */
final class Filters {
  private static final BsonDocument NEVER = op("_id", op("$in", new BsonArray()));

  /** The fields that are documents unless somebody stored an array there. */
  private final Set<String> documents = new LinkedHashSet<>();

  /** A guard as a filter. */
  static BsonDocument guard(Condition guard) {
    Filters filters = new Filters();
    BsonDocument filter = filters.render(guard);
    for (String document : filters.documents) {
      merge(filter, document, op("$not", op("$type", new BsonString("array"))));
    }
    return filter;
  }

  private BsonDocument render(Condition condition) {
    if (condition instanceof Condition.Test test) {
      return render(test);
    }
    Condition.Joined joined = (Condition.Joined) condition;
    return switch (joined.join()) {
      case AND -> all(joined.parts());
      case OR -> any(joined.parts().stream().map(this::render).toList());
      case NOT -> not(joined.part());
    };
  }

  private BsonDocument render(Condition.Test test) {
    String name = checked(test);
    return switch (test.operator()) {
      case EQUAL -> isOneOf(name, List.of(test.value()));
      case LESS -> compare(name, "$lt", test.value());
      case AT_MOST -> compare(name, "$lte", test.value());
      case GREATER -> compare(name, "$gt", test.value());
      case AT_LEAST -> compare(name, "$gte", test.value());
      case EXISTS -> exists(name, true);
      case IN -> isOneOf(name, test.values());
      case CONTAINS -> op(name, op("$elemMatch", op("$in", forms(test))));
      case SIZE_BELOW -> sizeBelow(name, test);
      case OF_KIND -> ofKind(name, test.kind());
    };
  }

  private BsonDocument all(List<Condition> parts) {
    BsonDocument all = new BsonDocument();
    parts.forEach(part -> render(part).forEach((name, test) -> merge(all, name, test)));
    return all;
  }

  private BsonDocument not(Condition condition) {
    if (condition instanceof Condition.Test test) {
      if (test.operator() == Condition.Operator.EXISTS) {
        return exists(checked(test), false);
      }
      if (test.operator() == Condition.Operator.CONTAINS) {
        return op(checked(test), op("$nin", forms(test)));
      }
      if (test.operator() == Condition.Operator.OF_KIND && Conditions.isSet(test.kind())) {
        BsonString type = new BsonString(Conditions.type(test.kind()));
        return op(checked(test), op("$not", op("$type", type))); // which looks into arrays
      }
    }
    return op("$nor", new BsonArray(List.of(render(condition))));
  }

  private static BsonArray forms(Condition.Test contains) {
    return new BsonArray(Values.equals(Values.mark(contains.value())));
  }

  /** The field's name; notes the arrays that must not stand where documents belong. */
  private String checked(Condition.Test test) {
    List<String> segments = test.path().segments();
    for (int i = 1; i < segments.size(); i++) {
      if (isNumber(segments.get(i))) {
        documents.add(String.join(".", segments.subList(0, i)));
      }
    }
    return dotted(test.path());
  }

  private static boolean isNumber(String name) {
    int i = 0;
    while (i < name.length() && Character.isDigit(name.charAt(i))) {
      i++;
    }
    return i == name.length();
  }

  /** A path as filters and operators spell it. */
  static String dotted(Path path) {
    List<String> segments = path.segments();
    return segments.size() == 1 ? segments.get(0) : String.join(".", segments);
  }

  private static BsonDocument any(List<BsonDocument> filters) {
    return filters.isEmpty() ? NEVER : op("$or", new BsonArray(filters));
  }

  private static BsonDocument exists(String path, boolean exists) {
    return op(path, op("$exists", BsonBoolean.valueOf(exists)));
  }

  private static BsonDocument notArray(BsonDocument test) {
    return test.append("$not", op("$type", new BsonString("array")));
  }

  private static BsonDocument compare(String name, String operator, Object bound) {
    return op(name, notArray(op(operator, Values.mark(bound))));
  }

  private static BsonDocument isOneOf(String name, List<Object> values) {
    BsonArray forms = new BsonArray();
    values.forEach(value -> forms.addAll(Values.equals(Values.mark(value))));
    return op(name, notArray(op("$in", forms)));
  }

  private static BsonDocument sizeBelow(String name, Condition.Test below) {
    boolean list = below.path().segments().size() == 1 || name.endsWith("#seen");
    BsonDocument shorter =
        op("$regex", new BsonString(shorterThan(below.size())))
            .append("$options", new BsonString("s"));
    return list ? exists(name + "." + (below.size() - 1), false) : op(name, notArray(shorter));
  }

  /** Regular expressions count to 65,535 at most: repetitions of repetitions count further. */
  private static String shorterThan(int size) {
    int longest = size - 1;
    int unit = 10_000;
    String counted =
        longest <= unit
            ? ".{0," + longest + "}"
            : String.format(
                Locale.ROOT,
                "(?:.{%d}){0,%d}.{0,%d}.{0,%d}",
                unit,
                longest / unit - 1,
                unit,
                longest % unit);
    return "^" + counted + "\\z";
  }

  private static BsonDocument ofKind(String name, Condition.Kind kind) {
    BsonString type = new BsonString(Conditions.type(kind));
    if (kind == Condition.Kind.LIST) {
      return op(name, op("$type", type));
    }
    if (!Conditions.isSet(kind)) {
      return op(name, notArray(op("$type", type)));
    }
    BsonDocument array = op("$type", new BsonString("array"));
    BsonDocument other = op("$elemMatch", op("$not", op("$type", type)));
    return op(name, array.append("$not", other));
  }

  static BsonDocument missingOrAtLeast(Path path, Object value) {
    String dotted = dotted(path);
    BsonDocument enough = op(dotted, op("$gte", Values.mark(value)));
    return any(List.of(exists(dotted, false), enough));
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
      if (!entry.getKey().startsWith("$") || (same != null && !same.equals(entry.getValue()))) {
        return false;
      }
    }
    before.asDocument().putAll(test.asDocument());
    return true;
  }
}
