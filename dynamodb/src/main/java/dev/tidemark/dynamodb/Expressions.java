package dev.tidemark.dynamodb;

import dev.tidemark.dynamodb.Operations.Clause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Expressions that somebody else wrote, read as far as it takes to join them with those of
 * tracking.
 *
 * @param condition in parentheses that it cannot leave; empty if there is none
 * @param actions of the update expression, by clause
 * @param targets the attributes that the actions write
 * @param names those that the expressions use; DynamoDB refuses others
 * @param values the same
 * @param prefix of tracking's numbered placeholders, which none of these is
 * @param joints how two values of each placeholder come to one; null where they may not
 * @param templates what is kept of requests with these expressions
 */
record Expressions(
    String condition,
    Map<Clause, String> actions,
    Set<String> targets,
    Map<String, String> names,
    Set<String> values,
    String prefix,
    @Nullable Map<String, Joint> joints,
    Map<Template.Kind, Template> templates) {

  /** Of what has no placeholders of its own. */
  static final String PREFIX = "t";

  /** An attribute that no item has, and the number of its placeholder, which no request reaches. */
  static final String NOWHERE = "\u0000nowhere";

  private static final int NOWHERE_NUMBER = 1_000_000;

  private static final Pattern KEYWORD =
      Pattern.compile("(?<![\\w#:.])(SET|REMOVE|ADD|DELETE)(?=[\\s#])", Pattern.CASE_INSENSITIVE);
  private static final Pattern PLACEHOLDER = Pattern.compile("[#:]\\w+");

  /** Expressions as they were given, with the placeholders that have a name or a value. */
  record Given(String update, String condition, Map<String, String> names, Set<String> values) {
    Given copy() {
      return new Given(update, condition, Map.copyOf(names), Set.copyOf(values));
    }
  }

  /**
   * Expressions with the values of one update.
   *
   * @param expressions what one handler gives for event after event
   * @param values those that the expressions use
   */
  record Filled(Expressions expressions, Map<String, AttributeValue> values) {
    /** No expressions. */
    static final Filled NONE =
        new Expressions("", Map.of(), Set.of(), Map.of(), Set.of(), PREFIX, Map.of(), Map.of())
            .with(Map.of());

    /** Puts condition and actions into a write. */
    void accept(Update write) {
      write.aliases().given(expressions.names, values);
      write.require(expressions.condition);
      write.operations().given(expressions.actions);
    }

    /** The same where no attribute of the key is there, as it is where there is no item. */
    Filled overNothing(Collection<String> key) {
      Expressions to = expressions;
      for (String attribute : key) {
        to = to.without(attribute);
      }
      return new Filled(to, values);
    }

    /** These and the next, made after them, at once; null unless both are the same expressions. */
    @Nullable Filled then(Filled next) {
      Map<String, Joint> joints = expressions.joints;
      if (joints == null || !expressions.equals(next.expressions)) {
        return null;
      }
      Map<String, AttributeValue> both = new HashMap<>();
      for (String placeholder : expressions.values) {
        AttributeValue joined =
            Objects.requireNonNull(joints.get(placeholder))
                .of(values.get(placeholder), next.values.get(placeholder));
        if (joined == null) {
          return null;
        }
        both.put(placeholder, joined);
      }
      return new Filled(expressions, both);
    }
  }

  /**
   * Reads expressions.
   *
   * @throws IllegalArgumentException if one cannot be read, or has a placeholder that nothing is
   *     behind
   */
  static Expressions of(Given given) {
    String condition = given.condition().isBlank() ? "" : enclose(given.condition());
    Set<String> used = placeholders(given.update(), condition);
    check(used, given);
    Map<Clause, List<String>> actions = actions(given.update());
    Set<String> targets = new HashSet<>();
    Map<Clause, String> texts = new EnumMap<>(Clause.class);
    actions.forEach(
        (clause, all) -> {
          all.forEach(action -> targets.add(target(clause, action, given.names())));
          texts.put(clause, String.join(", ", all));
        });
    Map<String, String> names = used(given.names(), used);
    used.removeAll(names.keySet());
    return new Expressions(
        condition,
        texts,
        targets,
        names,
        used,
        prefix(given.names().keySet(), given.values()),
        Joint.of(actions),
        new ConcurrentHashMap<>());
  }

  /** The same with values, of which unused ones are left out. */
  Filled with(Map<String, AttributeValue> given) {
    return new Filled(this, given.size() == values.size() ? given : used(given, values));
  }

  /** The same with a name that nothing has in place of an attribute's. */
  private Expressions without(String attribute) {
    String nowhere = "#" + prefix + NOWHERE_NUMBER;
    Pattern bare = Pattern.compile("(?<![\\w#:.])" + Pattern.quote(attribute) + "(?![\\w(])");
    UnaryOperator<String> renamed = text -> bare.matcher(text).replaceAll(nowhere);
    Map<String, String> others = new HashMap<>(names);
    others.replaceAll((placeholder, name) -> name.equals(attribute) ? NOWHERE : name);
    String where = renamed.apply(condition);
    Map<Clause, String> what = new EnumMap<>(Clause.class);
    actions.forEach((clause, text) -> what.put(clause, renamed.apply(text)));
    if (!where.equals(condition) || !what.equals(actions)) {
      others.put(nowhere, NOWHERE);
    }
    return new Expressions(where, what, targets, others, values, prefix, joints, templates);
  }

  /** The actions of an update expression, by clause. */
  private static Map<Clause, List<String>> actions(String update) {
    Map<Clause, List<String>> actions = new EnumMap<>(Clause.class);
    Matcher matcher = KEYWORD.matcher(update);
    int from = 0;
    @Nullable Clause clause = null;
    while (matcher.find()) {
      add(actions, clause, update.substring(from, matcher.start()));
      clause = Clause.valueOf(matcher.group().toUpperCase(Locale.ROOT));
      from = matcher.end();
    }
    add(actions, clause, update.substring(from));
    return actions;
  }

  private static void add(Map<Clause, List<String>> actions, @Nullable Clause clause, String text) {
    if (clause != null) {
      actions.computeIfAbsent(clause, c -> new ArrayList<>()).addAll(split(text));
    } else if (!text.isBlank()) {
      throw new IllegalArgumentException(
          "update expression must start with SET, REMOVE, ADD or DELETE");
    }
  }

  /** Splits at the commas that are in no parentheses. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', comma + 1)) {
      if (depth(text.substring(from, comma)) == 0) {
        parts.add(text.substring(from, comma).trim());
        from = comma + 1;
      }
    }
    String last = text.substring(from);
    parts.add(last.trim());
    if (depth(last) != 0 || parts.contains("")) {
      throw new IllegalArgumentException(
          "update expression has an empty action, or a parenthesis that is not closed");
    }
    return parts;
  }

  /** How many parentheses a text leaves open. */
  private static int depth(String text) {
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
      if (depth < 0) {
        throw new IllegalArgumentException("expression closes a parenthesis that it did not open");
      }
    }
    return depth;
  }

  /** Puts a condition into parentheses that it cannot leave. */
  private static String enclose(String condition) {
    if (depth(condition) != 0) {
      throw new IllegalArgumentException("condition has a parenthesis that is not closed");
    }
    return "(" + bare(condition) + ")";
  }

  /** A condition without parentheses around the whole: DynamoDB refuses two of them. */
  static String bare(String condition) {
    String text = condition.trim();
    while (text.startsWith("(") && isClosedByLast(text)) {
      text = text.substring(1, text.length() - 1).trim();
    }
    return text;
  }

  /** Whether the parenthesis that a text starts with is closed by its last character. */
  private static boolean isClosedByLast(String text) {
    int depth = 0;
    int at = 0;
    do {
      depth += text.charAt(at) == '(' ? 1 : text.charAt(at) == ')' ? -1 : 0;
      at++;
    } while (depth > 0 && at < text.length());
    return depth == 0 && at == text.length();
  }

  /** The attribute that an action writes. */
  private static String target(Clause clause, String action, Map<String, String> names) {
    if (clause == Clause.SET && action.indexOf('=') < 0) {
      throw new IllegalArgumentException("an action of SET needs '='");
    }
    String first = action.trim().split("[=.\\[\\s]", 2)[0];
    String name = first.startsWith("#") ? names.get(first) : first;
    if (name == null) {
      throw new IllegalArgumentException("placeholder " + first + " has no name");
    }
    return name;
  }

  /** The placeholders that expressions have. */
  private static Set<String> placeholders(String... expressions) {
    return Stream.of(expressions)
        .flatMap(expression -> PLACEHOLDER.matcher(expression).results())
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The entries whose placeholder is used. */
  private static <V> Map<String, V> used(Map<String, V> all, Set<String> placeholders) {
    Map<String, V> used = new LinkedHashMap<>(all);
    used.keySet().retainAll(placeholders);
    return used;
  }

  /** Refuses placeholders that nothing is behind. */
  private static void check(Set<String> used, Given given) {
    Set<String> missing = new TreeSet<>(used);
    missing.removeAll(given.names().keySet());
    missing.removeAll(given.values());
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("no name or value is given for " + missing);
    }
  }

  /** A start of numbered placeholders that none of some is. */
  private static String prefix(Set<String> names, Set<String> values) {
    String prefix = PREFIX;
    while (has(names, "#" + prefix) || has(values, ":" + prefix)) {
      prefix += PREFIX;
    }
    return prefix;
  }

  private static boolean has(Set<String> placeholders, String prefix) {
    return placeholders.stream()
        .anyMatch(one -> one.startsWith(prefix) && one.substring(prefix.length()).matches("\\d+"));
  }
}
