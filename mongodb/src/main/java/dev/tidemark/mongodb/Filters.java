package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.Condition;
import dev.tidemark.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * Guards over marks as filters, for writes by operators. A filter looks into arrays on its own;
 * these do not, so that they mean what the expressions of {@link Conditions} mean.
 */
final class Filters {
  private static final BsonDocument NEVER = op("_id", op("$in", new BsonArray()));

  private final CodecRegistry registry;
  private final Condition.Tests<BsonDocument> tests;

  Filters(CodecRegistry registry) {
    this.registry = registry;
    this.tests =
        new Condition.Tests<>(
            this::compare,
            exists -> exists(dotted(exists.path()), true),
            in -> isOneOf(dotted(in.path()), Values.equals(in.values(), registry)),
            contains ->
                hasElement(
                    dotted(contains.path()),
                    op("$in", new BsonArray(Values.equals(List.of(contains.value()), registry)))),
            below -> shorterThan(dotted(below.path()), below.size()),
            ofKind -> ofKind(dotted(ofKind.path()), ofKind.kind()));
  }

  /** A test of a mark, of which it is known that it stands in documents. */
  BsonDocument test(Condition.Test test) {
    return test.match(tests);
  }

  /** A path as filters and operators spell it. */
  static String dotted(Path path) {
    return String.join(".", path.segments());
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

  static BsonDocument exists(String path, boolean exists) {
    return op(path, op("$exists", BsonBoolean.valueOf(exists)));
  }

  private static BsonDocument notArray(BsonDocument test) {
    return test.append("$not", op("$type", new BsonString("array")));
  }

  private BsonDocument compare(Condition.Compare compare) {
    BsonValue operand = Values.encode(compare.value(), registry);
    if (compare.operator() == Condition.Operator.EQUAL) {
      return isOneOf(dotted(compare.path()), Values.equals(operand));
    }
    String word = Conditions.operator(compare.operator());
    return op(dotted(compare.path()), notArray(op(word, operand)));
  }

  private static BsonDocument isOneOf(String path, List<BsonValue> values) {
    return op(path, notArray(op("$in", new BsonArray(values))));
  }

  private static BsonDocument hasElement(String path, BsonDocument test) {
    return op(path, op("$elemMatch", test));
  }

  /** Whether a text, as windows of positions are, has fewer characters. */
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
    BsonString type = new BsonString(Conditions.type(kind));
    if (!Conditions.isSet(kind)) {
      return op(path, notArray(op("$type", type)));
    }
    BsonDocument array = op("$type", new BsonString("array"));
    BsonDocument other = op("$elemMatch", op("$not", op("$type", type)));
    return op(path, array.append("$not", other));
  }

  static BsonDocument missingOrAtLeast(Path path, Object value) {
    String dotted = dotted(path);
    BsonDocument enough = op(dotted, op("$gte", Values.mark(value)));
    return any(List.of(exists(dotted, false), enough));
  }

  /** The guard of tracking's, in few words. */
  static BsonDocument guard(Context<?> context, Condition guard) {
    return new Guard(context).filter(guard);
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

  /**
   * Guards over tracking's own marks as filters, which servers parse with every write: one document
   * wherever names allow, and no questions that the write itself answers. A mark under what is no
   * document fails the write; only an array under a name of digits would take it as an element.
   */
  private static final class Guard {
    private final Filters values;
    private final Condition.Cases<BsonDocument> cases;
    private final Set<String> lists = new LinkedHashSet<>();

    Guard(Context<?> context) {
      this.values = new Filters(context.registry());
      this.cases =
          new Condition.Cases<>(
              this::all,
              or -> Filters.any(or.any().stream().map(this::render).toList()),
              not -> not(not.condition()),
              this::test);
    }

    BsonDocument filter(Condition guard) {
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
        return Filters.exists(checked(exists), false);
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
      return Filters.dotted(test.path());
    }

    private static boolean isNumber(String name) {
      return name.chars().allMatch(Character::isDigit);
    }

    private static BsonDocument type(String type) {
      return op("$type", new BsonString(type));
    }
  }
}
