package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Renders conditions as DynamoDB's condition expressions. For one request. */
final class Conditions {
  /** DynamoDB takes at most so many operands of IN. */
  private static final int MOST_OPERANDS = 100;

  private final Update.Aliases aliases;
  private final Properties properties;
  private final String keyAttribute;
  private final StringBuilder out;
  private final Condition.Cases<StringBuilder> cases;

  /**
   * Conditions on attributes that a class has.
   *
   * @param out what the expressions are appended to
   */
  Conditions(
      Update.Aliases aliases, Properties properties, String keyAttribute, StringBuilder out) {
    this.aliases = aliases;
    this.properties = properties;
    this.keyAttribute = keyAttribute;
    this.out = out;
    Condition.Tests<StringBuilder> tests =
        new Condition.Tests<>(
            this::compare,
            exists -> call("attribute_exists(", exists.path()).append(')'),
            this::in,
            contains -> contains(contains.path(), List.of(contains)),
            this::sizeBelow,
            of -> isOfType(of.path(), type(of.kind())));
    this.cases =
        new Condition.Cases<>(
            and -> all(and.all(), " AND "), this::or, this::not, test -> test.match(tests));
  }

  /** Appends a condition that is not {@link #isAlways always} true. */
  void render(Condition condition) {
    var unused = condition.match(cases);
  }

  /** Whether there is nothing to ask. */
  static boolean isAlways(Condition condition) {
    return condition instanceof Condition.And and
        ? and.all().stream().allMatch(Conditions::isAlways)
        : condition instanceof Condition.Or or && or.any().stream().anyMatch(Conditions::isAlways);
  }

  private StringBuilder never() {
    String key = aliases.name(keyAttribute);
    return out.append("(attribute_exists(")
        .append(key)
        .append(") AND attribute_not_exists(")
        .append(key)
        .append("))");
  }

  private StringBuilder call(String function, Path path) {
    return out.append(function).append(aliases.path(path));
  }

  private StringBuilder all(List<? extends Condition> parts, String by) {
    List<? extends Condition> some = parts.stream().filter(part -> !isAlways(part)).toList();
    join(some.size(), by, i -> render(some.get(i)));
    return out;
  }

  /** Some parts, in parentheses unless there is only one. */
  private void join(int parts, String by, IntConsumer part) {
    out.append(parts > 1 ? "(" : "");
    for (int i = 0; i < parts; i++) {
      out.append(i > 0 ? by : "");
      part.accept(i);
    }
    out.append(parts > 1 ? ")" : "");
  }

  private StringBuilder not(Condition.Not not) {
    if (not.condition() instanceof Condition.Exists exists) {
      return call("attribute_not_exists(", exists.path()).append(')');
    }
    if (isAlways(not.condition())) {
      return never();
    }
    out.append("(NOT ");
    render(not.condition());
    return out.append(')');
  }

  /** Parts that ask one attribute for elements share what they ask of its type. */
  private StringBuilder or(Condition.Or or) {
    List<Condition> others = new ArrayList<>();
    Map<Path, List<Condition.Contains>> elements = new LinkedHashMap<>();
    for (Condition part : or.any()) {
      if (part instanceof Condition.Contains contains) {
        elements.computeIfAbsent(contains.path(), p -> new ArrayList<>()).add(contains);
      } else {
        others.add(part);
      }
    }
    List<Path> paths = List.copyOf(elements.keySet());
    int parts = others.size() + paths.size();
    join(
        parts,
        " OR ",
        i -> {
          if (i < others.size()) {
            render(others.get(i));
          } else {
            Path path = paths.get(i - others.size());
            var unused = contains(path, elements.getOrDefault(path, List.of()));
          }
        });
    return parts == 0 ? never() : out;
  }

  private StringBuilder compare(Condition.Compare compare) {
    AttributeValue value = properties.value(compare.path(), compare.value());
    boolean ordered = value.s() != null || value.n() != null || value.b() != null;
    if (!ordered && compare.operator() != Condition.Operator.EQUAL) {
      return never();
    }
    return call("", compare.path())
        .append(
            switch (compare.operator()) {
              case EQUAL -> " = ";
              case LESS -> " < ";
              case AT_MOST -> " <= ";
              case GREATER -> " > ";
              case AT_LEAST -> " >= ";
            })
        .append(aliases.value(value));
  }

  private StringBuilder in(Condition.In in) {
    List<String> values =
        in.values().stream()
            .map(value -> aliases.value(properties.value(in.path(), value)))
            .distinct()
            .toList();
    int lists = (values.size() + MOST_OPERANDS - 1) / MOST_OPERANDS;
    join(
        lists,
        " OR ",
        i -> {
          int to = Math.min(values.size(), (i + 1) * MOST_OPERANDS);
          String some = String.join(", ", values.subList(i * MOST_OPERANDS, to));
          call("(", in.path()).append(" IN (").append(some).append("))");
        });
    return out;
  }

  /**
   * DynamoDB's contains also looks for parts of strings and bytes: those are no elements. A mark
   * that is a string where a set should be is corrupt, and found so by who reads it.
   */
  private StringBuilder contains(Path path, List<Condition.Contains> any) {
    List<AttributeValue> elements =
        any.stream().map(one -> properties.element(path, one.value())).toList();
    boolean strings = !properties.isOfMarks() && elements.stream().anyMatch(e -> e.s() != null);
    boolean bytes = !properties.isOfMarks() && elements.stream().anyMatch(e -> e.b() != null);
    out.append(strings || bytes ? "(" : "");
    join(
        elements.size(),
        " OR ",
        i ->
            call("contains(", path)
                .append(", ")
                .append(aliases.value(elements.get(i)))
                .append(')'));
    if (strings) {
      notOfType(path, "S");
    }
    if (bytes) {
      notOfType(path, "B");
    }
    return out.append(strings || bytes ? ")" : "");
  }

  private StringBuilder sizeBelow(Condition.SizeBelow below) {
    String size = aliases.value(Values.toNative(below.size()));
    if (properties.isOfMarks()) {
      return call("size(", below.path()).append(") < ").append(size);
    }
    call("(size(", below.path()).append(") < ").append(size);
    notOfType(below.path(), "M");
    notOfType(below.path(), "B");
    return out.append(')');
  }

  private void notOfType(Path path, String type) {
    out.append(" AND NOT ");
    var unused = isOfType(path, type);
  }

  private StringBuilder isOfType(Path path, String type) {
    String alias = aliases.value(AttributeValue.fromS(type));
    return call("attribute_type(", path).append(", ").append(alias).append(')');
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
