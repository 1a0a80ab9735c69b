package dev.tidemark.dynamodb;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    DELETE
  }

  private static final Pattern KEYWORD =
      Pattern.compile("(?<![\\w#:.])(SET|REMOVE|ADD|DELETE)(?=[\\s#])", Pattern.CASE_INSENSITIVE);
  private static final Pattern PLACEHOLDER = Pattern.compile("[#:]\\w+");

  private Expressions() {}

  /** The actions of an update expression, by clause. */
  static Map<Clause, List<String>> actions(String update) {
    Map<Clause, List<String>> actions = new EnumMap<>(Clause.class);
    for (Clause clause : Clause.values()) {
      actions.put(clause, new ArrayList<>());
    }
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
    if (clause == null) {
      if (!text.isBlank()) {
        throw new IllegalArgumentException(
            "update expression must start with SET, REMOVE, ADD or DELETE");
      }
      return;
    }
    actions.getOrDefault(clause, new ArrayList<>()).addAll(split(text));
  }

  /** Splits at the commas that are in no parentheses. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      depth += depthOf(text.charAt(i));
      requireOpen(depth);
      if (text.charAt(i) == ',' && depth == 0) {
        parts.add(text.substring(from, i).trim());
        from = i + 1;
      }
    }
    parts.add(text.substring(from).trim());
    if (depth != 0 || parts.contains("")) {
      throw new IllegalArgumentException(
          "update expression has an empty action, or a parenthesis that is not closed");
    }
    return parts;
  }

  private static int depthOf(char c) {
    return c == '(' ? 1 : c == ')' ? -1 : 0;
  }

  private static void requireOpen(int depth) {
    if (depth < 0) {
      throw new IllegalArgumentException("expression closes a parenthesis that it did not open");
    }
  }

  /** Puts a condition into parentheses that it cannot leave. */
  static String enclose(String condition) {
    int depth = 0;
    for (int i = 0; i < condition.length(); i++) {
      depth += depthOf(condition.charAt(i));
      requireOpen(depth);
    }
    if (depth != 0) {
      throw new IllegalArgumentException("condition has a parenthesis that is not closed");
    }
    return "(" + bare(condition) + ")";
  }

  /** A condition without parentheses around the whole: DynamoDB refuses two of them. */
  static String bare(String condition) {
    String text = condition.trim();
    while (text.startsWith("(") && closing(text) == text.length() - 1) {
      text = text.substring(1, text.length() - 1).trim();
    }
    return text;
  }

  /** Where the parenthesis closes that a text starts with. */
  private static int closing(String text) {
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      depth += depthOf(text.charAt(i));
      if (depth == 0) {
        return i;
      }
    }
    return -1;
  }

  /** The attribute that an action writes. */
  static String target(Clause clause, String action, Map<String, String> names) {
    String path =
        switch (clause) {
          case SET -> beforeEquals(action);
          case ADD, DELETE -> action.split("\\s", 2)[0];
          case REMOVE -> action;
        };
    String first = path.trim().split("[.\\[\\s]", 2)[0];
    return first.startsWith("#") ? resolve(first, names) : first;
  }

  private static String beforeEquals(String action) {
    int equals = action.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException("an action of SET needs '='");
    }
    return action.substring(0, equals);
  }

  private static String resolve(String placeholder, Map<String, String> names) {
    String name = names.get(placeholder);
    if (name == null) {
      throw new IllegalArgumentException("placeholder " + placeholder + " has no name");
    }
    return name;
  }

  /** Refuses expressions with placeholders that nothing is behind. */
  static void check(Set<String> names, Set<String> values, String... expressions) {
    Set<String> missing = new TreeSet<>();
    for (String expression : expressions) {
      Matcher matcher = PLACEHOLDER.matcher(expression);
      while (matcher.find()) {
        String placeholder = matcher.group();
        if (!(placeholder.startsWith("#") ? names : values).contains(placeholder)) {
          missing.add(placeholder);
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("no name or value is given for " + missing);
    }
  }

  /** A start of placeholders that none of some has. */
  static String prefix(Set<String> names, Set<String> values) {
    String prefix = "t";
    while (starts(names, "#" + prefix) || starts(values, ":" + prefix)) {
      prefix += "t";
    }
    return prefix;
  }

  private static boolean starts(Set<String> placeholders, String with) {
    return placeholders.stream().anyMatch(p -> p.startsWith(with));
  }
}
