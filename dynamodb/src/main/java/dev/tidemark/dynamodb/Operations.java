package dev.tidemark.dynamodb;

import dev.tidemark.Operation;
import dev.tidemark.dynamodb.Expressions.Clause;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.enhanced.dynamodb.update.AddAction;
import software.amazon.awssdk.enhanced.dynamodb.update.RemoveAction;
import software.amazon.awssdk.enhanced.dynamodb.update.SetAction;
import software.amazon.awssdk.enhanced.dynamodb.update.UpdateExpression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Renders operations as the clauses of one update expression. Mutable; for one request. */
final class Operations {
  private static final AttributeValue NO_ELEMENTS = AttributeValue.fromL(List.of());
  private static final AttributeValue ZERO = AttributeValue.fromN("0");

  /** What one operation does; the value is empty where an attribute is removed. */
  private record Action(Clause clause, String path, String value) {
    void appendTo(StringBuilder out) {
      out.append(path).append(value.isEmpty() ? "" : clause == Clause.SET ? " = " : " ");
      out.append(value);
    }
  }

  private final Update.Aliases aliases;
  private final List<Action> actions = new ArrayList<>();
  private Map<Clause, List<String>> texts = Map.of();

  Operations(Update.Aliases aliases) {
    this.aliases = aliases;
  }

  void addAll(Collection<? extends Operation> operations, Properties properties) {
    Operation.Cases<Action> cases = cases(properties);
    for (Operation operation : operations) {
      properties.checkChange(operation.path());
      actions.add(operation.match(cases));
    }
  }

  private Operation.Cases<Action> cases(Properties properties) {
    return new Operation.Cases<>(
        it -> set(path(it), value(properties.value(it.path(), it.value()))),
        it -> set(path(it), orElse(path(it), properties.value(it.path(), it.value()))),
        it -> set(path(it), sum(path(it), ZERO, properties.number(it.path(), it.amount()))),
        it ->
            set(
                path(it),
                "list_append(%s, %s)"
                    .formatted(
                        orElse(path(it), NO_ELEMENTS),
                        value(properties.elements(it.path(), it.elements())))),
        it ->
            new Action(Clause.ADD, path(it), value(properties.elements(it.path(), it.elements()))),
        it ->
            new Action(
                Clause.DELETE, path(it), value(properties.elements(it.path(), it.elements()))),
        it -> new Action(Clause.REMOVE, path(it), ""));
  }

  private String path(Operation operation) {
    return aliases.path(operation.path());
  }

  private String value(AttributeValue value) {
    return aliases.value(value);
  }

  private static Action set(String path, String value) {
    return new Action(Clause.SET, path, value);
  }

  private String orElse(String path, AttributeValue otherwise) {
    return "if_not_exists(" + path + ", " + value(otherwise) + ")";
  }

  private String sum(String path, AttributeValue start, AttributeValue amount) {
    return orElse(path, start) + " + " + value(amount);
  }

  /** A number that starts at some value where it is missing. */
  void count(String attribute, long start, long amount) {
    String path = aliases.name(attribute);
    actions.add(set(path, sum(path, Values.toNative(start), Values.toNative(amount))));
  }

  /** Another attribute's value, or one given where that attribute is missing. */
  void copy(String attribute, String from, Object otherwise) {
    String source = orElse(aliases.name(from), Values.toNative(otherwise));
    actions.add(set(aliases.name(attribute), source));
  }

  /** An action that DynamoDB refuses if the condition is true: there is no such parent. */
  void fail() {
    String nowhere = aliases.name("\u0000overflow") + "." + aliases.name("member");
    actions.add(new Action(Clause.REMOVE, nowhere, ""));
  }

  /** Actions of an update expression that somebody else wrote. */
  void given(Map<Clause, List<String>> others) {
    texts = others;
  }

  /** The update expression. */
  String render() {
    StringBuilder out = new StringBuilder();
    for (Clause clause : Clause.values()) {
      String before = out.isEmpty() ? clause + " " : " " + clause + " ";
      for (String text : texts.getOrDefault(clause, List.of())) {
        out.append(before).append(text);
        before = ", ";
      }
      for (Action action : actions) {
        if (action.clause() == clause) {
          action.appendTo(out.append(before));
          before = ", ";
        }
      }
    }
    return out.toString();
  }

  /** The same as the Enhanced Client's actions, each of which has its placeholders. */
  UpdateExpression enhanced() {
    Map<String, String> allNames = aliases.names();
    Map<String, AttributeValue> allValues = aliases.values();
    UpdateExpression.Builder expression = UpdateExpression.builder();
    for (Action action : actions) {
      Set<String> used = Expressions.placeholders(action.path(), action.value());
      Map<String, String> names = Expressions.used(allNames, used);
      Map<String, AttributeValue> values = Expressions.used(allValues, used);
      switch (action.clause()) {
        case SET ->
            expression.addAction(
                SetAction.builder()
                    .path(action.path())
                    .value(action.value())
                    .expressionNames(names)
                    .expressionValues(values)
                    .build());
        case ADD ->
            expression.addAction(
                AddAction.builder()
                    .path(action.path())
                    .value(action.value())
                    .expressionNames(names)
                    .expressionValues(values)
                    .build());
        case REMOVE ->
            expression.addAction(
                RemoveAction.builder().path(action.path()).expressionNames(names).build());
        case DELETE -> throw new IllegalArgumentException("tracking takes no elements out of sets");
      }
    }
    return expression.build();
  }
}
