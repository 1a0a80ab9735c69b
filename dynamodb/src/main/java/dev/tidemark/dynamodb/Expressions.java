package dev.tidemark.dynamodb;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads expressions that somebody else wrote, as far as it takes to join them with those of
 * tracking: clauses, actions, and the attributes that actions write.
 */
final class Expressions {
  enum Clause {
    SET,
    REMOVE,
    ADD,
    DELETE;

    private final String opening = name() + " ";

    /** What stands before its actions. */
    String opening() {
      return opening;
    }
  }

  private static final Pattern KEYWORD =
      Pattern.compile("(?<![\\w#:.])(SET|REMOVE|ADD|DELETE)(?=[\\s#])", Pattern.CASE_INSENSITIVE);
  private static final Pattern PLACEHOLDER = Pattern.compile("[#:]\\w+");

  private Expressions() {}

  /** The actions of an update expression, by clause. */
  static Map<Clause, List<String>> actions(String update) {
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
  static String enclose(String condition) {
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
  static String target(Clause clause, String action, Map<String, String> names) {
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
  static Set<String> placeholders(String... expressions) {
    return Stream.of(expressions)
        .flatMap(expression -> PLACEHOLDER.matcher(expression).results())
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The entries whose placeholder is used. */
  static <V> Map<String, V> used(Map<String, V> all, Set<String> placeholders) {
    Map<String, V> used = new LinkedHashMap<>(all);
    used.keySet().retainAll(placeholders);
    return used;
  }

  /** Refuses expressions with placeholders that nothing is behind. */
  static void check(Set<String> names, Set<String> values, String... expressions) {
    Set<String> missing = placeholders(expressions);
    missing.removeAll(names);
    missing.removeAll(values);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("no name or value is given for " + missing);
    }
  }

  /** A start of numbered placeholders that none of some is. */
  static String prefix(Set<String> names, Set<String> values) {
    String prefix = Edit.PREFIX;
    while (has(names, "#" + prefix) || has(values, ":" + prefix)) {
      prefix += Edit.PREFIX;
    }
    return prefix;
  }

  private static boolean has(Set<String> placeholders, String prefix) {
    return placeholders.stream()
        .anyMatch(one -> one.startsWith(prefix) && one.substring(prefix.length()).matches("\\d+"));
  }
}
