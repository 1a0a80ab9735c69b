package dev.tidemark.mongodb;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * How the operators of two updates come to one: so that they do at once what they would do one
 * after the other, whatever is stored; only a stored double may round otherwise.
 */
final class Joint {
  /** Operators whose paths are not all before the colon, or that look at what an upsert finds. */
  private static final Set<String> APART = Set.of("$rename", "$setOnInsert");

  private static final String ON_INSERT = "$setOnInsert";

  private Joint() {}

  /** The operators of both; null if they do not come to one. */
  static @Nullable BsonDocument of(BsonDocument first, BsonDocument second) {
    BsonValue inserted = first.get(ON_INSERT);
    BsonValue again = second.get(ON_INSERT, inserted);
    if (inserted == null || !inserted.equals(again)) {
      return joined(first, second);
    }
    // what the second would insert is there since the first
    BsonDocument rest = without(second);
    Set<String> fields = inserted.asDocument().keySet();
    boolean meets =
        rest.values().stream()
            .flatMap(some -> some.asDocument().keySet().stream())
            .anyMatch(path -> fields.stream().anyMatch(field -> field(field).equals(field(path))));
    BsonDocument both = meets ? null : joined(without(first), rest);
    return both == null ? null : both.append(ON_INSERT, inserted);
  }

  private static BsonDocument without(BsonDocument operators) {
    BsonDocument rest = operators.clone();
    rest.remove(ON_INSERT);
    return rest;
  }

  private static @Nullable BsonDocument joined(BsonDocument first, BsonDocument second) {
    Set<String> fields = new HashSet<>();
    first.values().forEach(some -> some.asDocument().keySet().forEach(p -> fields.add(field(p))));
    BsonDocument joined = new BsonDocument();
    first.forEach((operator, some) -> joined.append(operator, some.asDocument().clone()));
    for (Map.Entry<String, BsonValue> some : second.entrySet()) {
      if (APART.contains(some.getKey()) || first.keySet().stream().anyMatch(APART::contains)) {
        return null;
      }
      BsonDocument known = joined.getDocument(some.getKey(), new BsonDocument());
      for (Map.Entry<String, BsonValue> operand : some.getValue().asDocument().entrySet()) {
        BsonValue before = known.get(operand.getKey());
        BsonValue both =
            before == null ? operand.getValue() : both(some.getKey(), before, operand.getValue());
        boolean elsewhere = before == null && fields.contains(field(operand.getKey()));
        if (elsewhere || both == null) {
          return null;
        }
        known.append(operand.getKey(), both);
      }
      joined.append(some.getKey(), known);
    }
    return joined;
  }

  /** The top-level field that a path leads into. */
  static String field(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  /** What two operands at one path come to. */
  private static @Nullable BsonValue both(String operator, BsonValue first, BsonValue second) {
    return switch (operator) {
      case "$set", "$unset" -> second;
      case "$inc" -> sum(first, second);
      default -> null;
    };
  }

  /**
   * Null where the server might add in another way: doubles and decimals round, and a number of 32
   * bits becomes one of 64 where a step leaves its range.
   */
  private static @Nullable BsonValue sum(BsonValue first, BsonValue second) {
    boolean whole = isWhole(first) && isWhole(second);
    if (!whole) {
      return null;
    }
    long one = first.asNumber().longValue();
    long other = second.asNumber().longValue();
    long sum = one + other;
    boolean overflows = ((one ^ sum) & (other ^ sum)) < 0;
    if (overflows || Long.signum(one) * Long.signum(other) < 0) {
      return null;
    }
    boolean isShort = first.isInt32() && second.isInt32();
    if (isShort) {
      return sum == (int) sum ? new BsonInt32((int) sum) : null;
    }
    return new BsonInt64(sum);
  }

  private static boolean isWhole(BsonValue number) {
    return number.isInt32() || number.isInt64();
  }
}
