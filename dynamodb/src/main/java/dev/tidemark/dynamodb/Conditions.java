package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Renders conditions as DynamoDB's condition expressions. */
final class Conditions {
  /** DynamoDB takes at most so many operands of IN. */
  private static final int MOST_OPERANDS = 100;

  private final Update.Aliases aliases;
  private final Properties properties;
  private final String keyAttribute;

  /** Conditions of one request, on attributes that a class has. */
  Conditions(Update.Aliases aliases, Properties properties, String keyAttribute) {
    this.aliases = aliases;
    this.properties = properties;
    this.keyAttribute = keyAttribute;
  }

  /** The expression; empty for a condition that is always true. */
  String render(Condition condition) {
    if (condition instanceof Condition.Test test) {
      return render(test);
    }
    Condition.Joined joined = (Condition.Joined) condition;
    return switch (joined.join()) {
      case AND -> and(joined.parts());
      case OR -> or(joined);
      case NOT -> not(joined.part());
    };
  }

  private String render(Condition.Test test) {
    return switch (test.operator()) {
      case EQUAL -> compare(test, " = ", properties.compared(test.path(), test.value()));
      case LESS -> order(test, " < ");
      case AT_MOST -> order(test, " <= ");
      case GREATER -> order(test, " > ");
      case AT_LEAST -> order(test, " >= ");
      case EXISTS -> exists(test, true);
      case IN -> in(test);
      case CONTAINS -> contains(test);
      case SIZE_BELOW -> sizeBelow(test);
      case OF_KIND -> isOfType(aliases.path(test.path()), type(test.kind()));
    };
  }

  /** Whether there is nothing to ask. */
  private static boolean isAlways(Condition condition) {
    if (!(condition instanceof Condition.Joined joined)) {
      return false;
    }
    return switch (joined.join()) {
      case AND -> joined.parts().stream().allMatch(Conditions::isAlways);
      case OR -> joined.parts().stream().anyMatch(Conditions::isAlways);
      case NOT -> false;
    };
  }

  private String never() {
    String key = aliases.name(keyAttribute);
    return "(attribute_exists(" + key + ") AND attribute_not_exists(" + key + "))";
  }

  private String and(List<Condition> parts) {
    List<String> all = new ArrayList<>();
    parts.forEach(part -> all.add(render(part)));
    all.removeIf(String::isEmpty);
    return join(all, " AND ");
  }

  private String not(Condition part) {
    if (part instanceof Condition.Test test && test.operator() == Condition.Operator.EXISTS) {
      return exists(test, false);
    }
    return isAlways(part) ? never() : "(NOT " + render(part) + ")";
  }

  /** A NULL counts as missing, but where tracking asks. */
  private String exists(Condition.Test test, boolean truly) {
    String path = aliases.path(test.path());
    if (properties.isOfMarks()) {
      return (truly ? "attribute_exists(" : "attribute_not_exists(") + path + ")";
    }
    return truly
        ? "(attribute_exists(" + path + ") AND NOT " + isOfType(path, "NULL") + ")"
        : or("attribute_not_exists(" + path + ")", isOfType(path, "NULL"));
  }

  private String or(Condition.Joined or) {
    if (or.parts().isEmpty()) {
      return never();
    }
    return isAlways(or) ? "" : join(or.parts().stream().map(this::render).toList(), " OR ");
  }

  private static String join(List<String> parts, String by) {
    return parts.size() < 2 ? String.join("", parts) : "(" + String.join(by, parts) + ")";
  }

  private String compare(Condition.Test test, String operator, AttributeValue value) {
    return aliases.path(test.path()) + operator + aliases.value(value);
  }

  private String order(Condition.Test test, String operator) {
    AttributeValue value = properties.ordered(test.path(), test.value());
    if (value.s() == null && value.n() == null && value.b() == null) {
      return never();
    }
    if (!StoredOrder.isDated(test.value()) || value.s() == null) {
      return compare(test, operator, value);
    }
    return switch (test.operator()) {
      case LESS -> isBefore(test, value.s());
      case AT_MOST -> or(compare(test, " = ", value), isBefore(test, value.s()));
      case AT_LEAST -> notBefore(test, isBefore(test, value.s()));
      default -> notBefore(test, or(compare(test, " = ", value), isBefore(test, value.s())));
    };
  }

  private String notBefore(Condition.Test test, String before) {
    return "(" + isOfType(aliases.path(test.path()), "S") + " AND NOT " + before + ")";
  }

  /** Whether the text of a time is that of an earlier one. */
  private String isBefore(Condition.Test test, String time) {
    String behind = compare(test, " > ", StoredOrder.BEHIND_LONG_YEARS);
    String below = compare(test, " < ", AttributeValue.fromS(StoredOrder.bound(time)));
    String before = "(" + behind + " AND " + below + ")";
    for (String earlier : StoredOrder.earlier(time)) {
      before = or(before, compare(test, " = ", AttributeValue.fromS(earlier)));
    }
    return before;
  }

  private static String or(String one, String other) {
    return "(" + one + " OR " + other + ")";
  }

  private String in(Condition.Test in) {
    String path = aliases.path(in.path());
    List<String> values =
        in.values().stream()
            .map(value -> aliases.value(properties.compared(in.path(), value)))
            .distinct()
            .toList();
    List<String> any = new ArrayList<>();
    for (int from = 0; from < values.size(); from += MOST_OPERANDS) {
      List<String> some = values.subList(from, Math.min(values.size(), from + MOST_OPERANDS));
      any.add("(" + path + " IN (" + String.join(", ", some) + "))");
    }
    return join(any, " OR ");
  }

  /**
   * DynamoDB's contains also looks for parts of strings and bytes: those are no elements. A mark
   * that is a string where a set should be is corrupt, and found so by who reads it.
   */
  private String contains(Condition.Test contains) {
    String path = aliases.path(contains.path());
    AttributeValue element = properties.element(contains.path(), contains.value());
    String call = "contains(" + path + ", " + aliases.value(element) + ")";
    boolean part = !properties.isOfMarks() && (element.s() != null || element.b() != null);
    return part
        ? "(" + call + " AND NOT " + isOfType(path, element.s() != null ? "S" : "B") + ")"
        : call;
  }

  private String sizeBelow(Condition.Test below) {
    String path = aliases.path(below.path());
    String call = "size(" + path + ") < " + aliases.value(Values.toNative(below.size()));
    return properties.isOfMarks()
        ? call
        : "(" + call + " AND NOT " + isOfType(path, "M") + " AND NOT " + isOfType(path, "B") + ")";
  }

  private String isOfType(String path, String type) {
    return "attribute_type(" + path + ", " + aliases.value(AttributeValue.fromS(type)) + ")";
  }

  private static String type(Condition.Kind kind) {
    return switch (kind) {
      case STRING -> "S";
      case NUMBER -> "N";
      case BINARY -> "B";
      case NULL -> "NULL";
      case STRING_SET -> "SS";
      case NUMBER_SET -> "NS";
      case BINARY_SET -> "BS";
      case LIST -> "L";
    };
  }
}
