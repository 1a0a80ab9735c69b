package dev.tidemark.dynamodb;

import dev.tidemark.dynamodb.Operations.Clause;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How the values of one placeholder come to one, where an expression is made twice: so that it does
 * once what it would do one after the other, whatever is stored.
 */
enum Joint {
  /** The later value replaces the earlier. */
  LAST,
  /** Numbers are added, elements of sets are united. */
  BOTH;

  /** What DynamoDB's numbers have. */
  private static final int DIGITS = 38;

  private static final String PATH = "([#\\w.]+)";
  private static final Pattern ASSIGNED = Pattern.compile(PATH + "\\s*=\\s*(:\\w+)");
  private static final Pattern INCREASED = Pattern.compile(PATH + "\\s*=\\s*\\1\\s*\\+\\s*(:\\w+)");
  private static final Pattern REMOVED = Pattern.compile(PATH);
  private static final Pattern ADDED = Pattern.compile(PATH + "\\s+(:\\w+)");

  /**
   * The joints of all placeholders.
   *
   * @return null where an action reads something else, or names an element of a list by its place
   */
  static @Nullable Map<String, Joint> of(Map<Clause, List<String>> actions) {
    Map<String, Joint> joints = new HashMap<>();
    for (Map.Entry<Clause, List<String>> clause : actions.entrySet()) {
      for (String action : clause.getValue()) {
        if (!joined(clause.getKey(), action, joints)) {
          return null;
        }
      }
    }
    return joints;
  }

  private static boolean joined(Clause clause, String action, Map<String, Joint> joints) {
    return switch (clause) {
      case SET -> joined(ASSIGNED, action, LAST, joints) || joined(INCREASED, action, BOTH, joints);
      case REMOVE -> REMOVED.matcher(action).matches();
      case ADD, DELETE -> joined(ADDED, action, BOTH, joints);
    };
  }

  private static boolean joined(
      Pattern form, String action, Joint joint, Map<String, Joint> joints) {
    Matcher matcher = form.matcher(action);
    if (!matcher.matches()) {
      return false;
    }
    Joint known = joints.putIfAbsent(matcher.group(2), joint);
    return known == null || known == joint;
  }

  /** The value of two; null if they come to none. */
  @Nullable AttributeValue of(@Nullable AttributeValue first, @Nullable AttributeValue second) {
    if (first == null || second == null || this == LAST) {
      return second;
    }
    if (first.type() != second.type()) {
      return null;
    }
    return switch (first.type()) {
      case N -> sum(new BigDecimal(first.n()), new BigDecimal(second.n()));
      case SS -> AttributeValue.fromSs(union(first.ss(), second.ss()));
      case NS -> AttributeValue.fromNs(union(first.ns(), second.ns()));
      case BS -> AttributeValue.fromBs(union(first.bs(), second.bs()));
      default -> null;
    };
  }

  /** Where the signs differ a sum may fit though one of its steps did not. */
  private static @Nullable AttributeValue sum(BigDecimal one, BigDecimal other) {
    BigDecimal sum = one.add(other);
    boolean fits = one.signum() * other.signum() >= 0 && sum.precision() <= DIGITS;
    return fits ? AttributeValue.fromN(sum.toString()) : null;
  }

  private static <V> List<V> union(List<V> one, List<V> other) {
    Set<V> union = new LinkedHashSet<>(one);
    union.addAll(other);
    return List.copyOf(union);
  }
}
