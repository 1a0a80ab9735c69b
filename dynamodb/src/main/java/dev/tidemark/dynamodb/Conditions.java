package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Renders conditions as DynamoDB's condition expressions. */
final class Conditions {
  /** DynamoDB takes at most so many operands of IN. */
  private static final int MOST_OPERANDS = 100;

  private final Aliases aliases;
  private final Converter converter;
  private final String never;

  /** Conditions of one request, on attributes that a converter knows. */
  Conditions(Aliases aliases, Converter converter, String keyAttribute) {
    this.aliases = aliases;
    this.converter = converter;
    String key = aliases.name(keyAttribute);
    this.never = "(attribute_exists(" + key + ") AND attribute_not_exists(" + key + "))";
  }

  /** The expression; empty for a condition that is always true. */
  String render(Condition condition) {
    if (condition instanceof Condition.And and) {
      List<String> all = new ArrayList<>();
      and.all().forEach(part -> all.add(render(part)));
      all.removeIf(String::isEmpty);
      return join(all, " AND ");
    }
    if (condition instanceof Condition.Or or) {
      List<String> any = any(or);
      return any.isEmpty() ? never : any.contains("") ? "" : join(any, " OR ");
    }
    return condition instanceof Condition.Not not ? not(not.condition()) : attribute(condition);
  }

  private String not(Condition condition) {
    if (condition instanceof Condition.Exists exists) {
      return "attribute_not_exists(" + aliases.path(exists.path()) + ")";
    }
    String inner = render(condition);
    return inner.isEmpty() ? never : "(NOT " + inner + ")";
  }

  /** Parts that ask one attribute for elements share what they ask of its type. */
  private List<String> any(Condition.Or or) {
    Map<Path, List<Condition.Contains>> elements = new LinkedHashMap<>();
    List<String> any = new ArrayList<>();
    for (Condition part : or.any()) {
      if (part instanceof Condition.Contains contains) {
        elements.computeIfAbsent(contains.path(), p -> new ArrayList<>()).add(contains);
      } else {
        any.add(render(part));
      }
    }
    elements.forEach((path, of) -> any.add(contains(path, of)));
    return any;
  }

  static String join(List<String> parts, String by) {
    return parts.size() < 2 ? String.join("", parts) : "(" + String.join(by, parts) + ")";
  }

  private String attribute(Condition condition) {
    if (condition instanceof Condition.Exists exists) {
      return "attribute_exists(" + aliases.path(exists.path()) + ")";
    }
    if (condition instanceof Condition.Compare compare) {
      return compare(compare);
    }
    if (condition instanceof Condition.In in) {
      return in(in);
    }
    if (condition instanceof Condition.Contains contains) {
      return contains(contains.path(), List.of(contains));
    }
    if (condition instanceof Condition.SizeBelow below) {
      return sizeBelow(below);
    }
    Condition.OfKind ofKind = (Condition.OfKind) condition;
    return isOfType(aliases.path(ofKind.path()), type(ofKind.kind()));
  }

  private String compare(Condition.Compare compare) {
    String path = aliases.path(compare.path());
    AttributeValue value = converter.value(compare.path(), compare.value());
    boolean ordered =
        switch (value.type()) {
          case S, N, B -> true;
          default -> false;
        };
    if (!ordered && compare.operator() != Condition.Operator.EQUAL) {
      return never;
    }
    String operator =
        switch (compare.operator()) {
          case EQUAL -> " = ";
          case LESS -> " < ";
          case AT_MOST -> " <= ";
          case GREATER -> " > ";
          case AT_LEAST -> " >= ";
        };
    return path + operator + aliases.value(value);
  }

  private String in(Condition.In in) {
    String path = aliases.path(in.path());
    List<String> values =
        in.values().stream()
            .map(v -> aliases.value(converter.value(in.path(), v)))
            .distinct()
            .toList();
    List<String> any = new ArrayList<>();
    for (int from = 0; from < values.size(); from += MOST_OPERANDS) {
      int to = Math.min(values.size(), from + MOST_OPERANDS);
      any.add(
          values.subList(from, to).stream()
              .collect(Collectors.joining(", ", "(" + path + " IN (", "))")));
    }
    return join(any, " OR ");
  }

  /**
   * DynamoDB's contains also looks for parts of strings and bytes: those are no elements. A mark
   * that is a string where a set should be is corrupt, and found so by who reads it.
   */
  private String contains(Path attribute, List<Condition.Contains> any) {
    String path = aliases.path(attribute);
    List<String> calls = new ArrayList<>();
    Set<String> others = new LinkedHashSet<>();
    for (Condition.Contains contains : any) {
      AttributeValue element = converter.element(attribute, contains.value());
      calls.add("contains(" + path + ", " + aliases.value(element) + ")");
      if (!converter.isOfMarks() && (element.s() != null || element.b() != null)) {
        others.add(" AND NOT " + isOfType(path, element.s() != null ? "S" : "B"));
      }
    }
    String call = join(calls, " OR ");
    return others.isEmpty() ? call : "(" + call + String.join("", others) + ")";
  }

  private String sizeBelow(Condition.SizeBelow below) {
    String path = aliases.path(below.path());
    String call = "size(" + path + ") < " + aliases.value(Values.toNative(below.size()));
    return converter.isOfMarks()
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
