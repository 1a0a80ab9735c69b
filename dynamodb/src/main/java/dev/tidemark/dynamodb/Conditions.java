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
  private final Condition.Cases<String> cases;

  /** Conditions of one request, on attributes that a class has. */
  Conditions(Update.Aliases aliases, Properties properties, String keyAttribute) {
    this.aliases = aliases;
    this.properties = properties;
    this.keyAttribute = keyAttribute;
    Condition.Tests<String> tests =
        new Condition.Tests<>(
            this::compare,
            exists -> "attribute_exists(" + aliases.path(exists.path()) + ")",
            this::in,
            this::contains,
            this::sizeBelow,
            of -> isOfType(aliases.path(of.path()), type(of.kind())));
    this.cases = new Condition.Cases<>(this::and, this::or, this::not, test -> test.match(tests));
  }

  /** The expression; empty for a condition that is always true. */
  String render(Condition condition) {
    return condition.match(cases);
  }

  /** Whether there is nothing to ask. */
  private static boolean isAlways(Condition condition) {
    return condition instanceof Condition.And and
        ? and.all().stream().allMatch(Conditions::isAlways)
        : condition instanceof Condition.Or or && or.any().stream().anyMatch(Conditions::isAlways);
  }

  private String never() {
    String key = aliases.name(keyAttribute);
    return "(attribute_exists(" + key + ") AND attribute_not_exists(" + key + "))";
  }

  private String and(Condition.And and) {
    List<String> all = new ArrayList<>();
    and.all().forEach(part -> all.add(render(part)));
    all.removeIf(String::isEmpty);
    return join(all, " AND ");
  }

  private String not(Condition.Not not) {
    if (not.condition() instanceof Condition.Exists exists) {
      return "attribute_not_exists(" + aliases.path(exists.path()) + ")";
    }
    return isAlways(not.condition()) ? never() : "(NOT " + render(not.condition()) + ")";
  }

  private String or(Condition.Or or) {
    if (or.any().isEmpty()) {
      return never();
    }
    return isAlways(or) ? "" : join(or.any().stream().map(this::render).toList(), " OR ");
  }

  private static String join(List<String> parts, String by) {
    return parts.size() < 2 ? String.join("", parts) : "(" + String.join(by, parts) + ")";
  }

  private String compare(Condition.Compare compare) {
    AttributeValue value = properties.value(compare.path(), compare.value());
    boolean ordered = value.s() != null || value.n() != null || value.b() != null;
    if (!ordered && compare.operator() != Condition.Operator.EQUAL) {
      return never();
    }
    String operator =
        switch (compare.operator()) {
          case EQUAL -> " = ";
          case LESS -> " < ";
          case AT_MOST -> " <= ";
          case GREATER -> " > ";
          case AT_LEAST -> " >= ";
        };
    return aliases.path(compare.path()) + operator + aliases.value(value);
  }

  private String in(Condition.In in) {
    String path = aliases.path(in.path());
    List<String> values =
        in.values().stream()
            .map(value -> aliases.value(properties.value(in.path(), value)))
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
  private String contains(Condition.Contains contains) {
    String path = aliases.path(contains.path());
    AttributeValue element = properties.element(contains.path(), contains.value());
    String call = "contains(" + path + ", " + aliases.value(element) + ")";
    boolean part = !properties.isOfMarks() && (element.s() != null || element.b() != null);
    return part
        ? "(" + call + " AND NOT " + isOfType(path, element.s() != null ? "S" : "B") + ")"
        : call;
  }

  private String sizeBelow(Condition.SizeBelow below) {
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
    };
  }
}
