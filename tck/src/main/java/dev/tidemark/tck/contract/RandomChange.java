package dev.tidemark.tck.contract;

import static dev.tidemark.Condition.attribute;

import dev.tidemark.Attribute;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Random entities of attributes that no class maps, and changes of them. Sets are only where sets
 * may be and lists where lists may be: stores without sets cannot tell them apart.
 */
final class RandomChange {
  private static final List<String> STRINGS =
      List.of("", "a", "b", "$n", "$$ROOT", "10", "9", "\uff5e", "\ud83c\udf0a", "a.b");
  private static final List<Object> NUMBERS =
      List.of(0L, 1L, -1L, 9L, 10L, 1L << 60, new BigDecimal("2.5"), new BigDecimal("-0.25"));

  private final Random random;

  RandomChange(long seed) {
    this.random = new Random(seed);
  }

  private <E> E one(List<E> of) {
    return of.get(random.nextInt(of.size()));
  }

  private Object scalar() {
    return random.nextBoolean() ? one(STRINGS) : one(NUMBERS);
  }

  private Set<Object> strings() {
    return Set.copyOf(List.of(one(STRINGS) + "x", one(STRINGS)));
  }

  /** Attributes s (a set or a scalar), l (a list or a scalar), n and t (scalars), m (a map). */
  Map<String, Object> record() {
    Map<String, Object> record = new LinkedHashMap<>();
    maybe(record, "s", random.nextInt(4) == 0 ? scalar() : strings());
    maybe(record, "l", random.nextInt(4) == 0 ? scalar() : List.of(scalar(), scalar()));
    maybe(record, "n", random.nextInt(4) == 0 ? one(STRINGS) : one(NUMBERS));
    maybe(record, "t", random.nextInt(6) == 0 ? true : scalar());
    Map<String, Object> members = new LinkedHashMap<>();
    maybe(members, "n", one(NUMBERS));
    maybe(members, "l", List.of(scalar()));
    maybe(members, "in", Map.of("t", scalar()));
    maybe(record, "m", random.nextInt(4) == 0 ? scalar() : members);
    record.put("keep", "kept");
    return record;
  }

  private void maybe(Map<String, Object> record, String name, Object value) {
    if (random.nextInt(4) > 0) {
      record.put(name, value);
    }
  }

  Change change() {
    Change change = Change.change();
    if (random.nextBoolean()) {
      change =
          random.nextBoolean()
              ? change.addToSet("s", strings().toArray())
              : change.removeFromSet("s", strings().toArray());
    }
    if (random.nextBoolean()) {
      change = change.append("l", scalar(), scalar());
    }
    if (random.nextBoolean()) {
      change = change.add("n", (Number) one(NUMBERS));
    }
    if (random.nextBoolean()) {
      change =
          switch (random.nextInt(4)) {
            case 0 -> change.set("t", scalar());
            case 1 -> change.setIfAbsent("t", scalar());
            case 2 -> change.set("t", Map.of("$set", scalar(), "x", List.of(scalar())));
            default -> change.remove("t");
          };
    }
    Change all = random.nextInt(3) > 0 ? change : nested(change);
    return random.nextInt(3) > 0 ? all : all.createParents();
  }

  private Change nested(Change change) {
    return switch (random.nextInt(6)) {
      case 0 -> change.set("m.in.t", scalar());
      case 1 -> change.add("m.n", 3);
      case 2 -> change.append("m.l", scalar()).set("m.new", scalar());
      case 3 -> change.remove("m.n").setIfAbsent("m.in.u", scalar());
      case 4 -> change.set("m", Map.of("n", scalar()));
      default -> change.remove("m");
    };
  }

  Condition condition(int depth) {
    if (depth > 0 && random.nextInt(2) == 0) {
      Condition left = condition(depth - 1);
      return switch (random.nextInt(3)) {
        case 0 -> left.and(condition(depth - 1));
        case 1 -> left.or(condition(depth - 1));
        default -> left.not();
      };
    }
    Attribute at = attribute(one(List.of("s", "l", "n", "t", "m", "m.n", "m.in.t", "m.in", "x.y")));
    return switch (random.nextInt(8)) {
      case 0 -> at.is(scalar());
      case 1 -> at.lessThan(scalar());
      case 2 -> at.atLeast(scalar());
      case 3 -> at.isNot(scalar());
      case 4 -> at.in(scalar(), scalar());
      case 5 -> at.contains(scalar());
      case 6 -> at.exists();
      default -> at.isMissing();
    };
  }
}
