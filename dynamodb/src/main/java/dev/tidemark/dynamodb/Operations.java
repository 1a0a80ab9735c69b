package dev.tidemark.dynamodb;

import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.update.AddAction;
import software.amazon.awssdk.enhanced.dynamodb.update.RemoveAction;
import software.amazon.awssdk.enhanced.dynamodb.update.SetAction;
import software.amazon.awssdk.enhanced.dynamodb.update.UpdateExpression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Renders operations as the clauses of one update expression. Mutable; for one request. */
final class Operations {
  /** A clause of an update expression. */
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

  private static final int USUAL_LENGTH = 160;
  private static final List<Clause> CLAUSES = List.of(Clause.values());
  private static final AttributeValue NO_ELEMENTS = AttributeValue.fromL(List.of());
  private static final Long ZERO = 0L;

  /** Of DynamoDB's numbers, of which it holds no two together. */
  private static final AttributeValue MOST = AttributeValue.fromN("9E+125");

  /** What one operation does; the value is empty where an attribute is removed. */
  private record Action(Clause clause, String path, String value) {
    void appendTo(StringBuilder out) {
      out.append(path).append(value.isEmpty() ? "" : clause == Clause.SET ? " = " : " ");
      out.append(value);
    }
  }

  private final Update.Aliases aliases;
  private final List<Action> actions = new ArrayList<>();
  private Properties properties = Properties.OF_MARKS;
  private Map<Clause, String> given = Map.of();

  Operations(Update.Aliases aliases) {
    this.aliases = aliases;
  }

  void addAll(Collection<? extends Operation> operations, Properties of) {
    properties = of;
    for (Operation operation : operations) {
      of.checkChange(operation.path().segments().get(0));
      actions.add(action(operation));
    }
  }

  private Action action(Operation operation) {
    Path at = operation.path();
    String path = aliases.path(at);
    return switch (operation.kind()) {
      case ASSIGN -> set(path, value(properties.value(at, operation.value())));
      case ASSIGN_IF_ABSENT -> set(path, orElse(path, properties.value(at, operation.value())));
      case INCREASE -> set(path, sum(path, ZERO, properties.number(at, operation.amount())));
      case APPEND_ALL -> set(path, appended(path, elements(operation)));
      case ADD_ALL -> new Action(Clause.ADD, path, value(elements(operation)));
      case REMOVE_ALL -> new Action(Clause.DELETE, path, value(elements(operation)));
      case REMOVE -> new Action(Clause.REMOVE, path, "");
    };
  }

  private String value(Object value) {
    return aliases.value(Values.toNative(value));
  }

  private Object elements(Operation operation) {
    return properties.elements(operation.path(), operation.elements());
  }

  private static Action set(String path, String value) {
    return new Action(Clause.SET, path, value);
  }

  private String orElse(String path, Object otherwise) {
    return "if_not_exists(" + path + ", " + value(otherwise) + ")";
  }

  private String sum(String path, Object start, Object amount) {
    return orElse(path, start) + " + " + value(amount);
  }

  private String appended(String path, Object elements) {
    return "list_append(" + orElse(path, NO_ELEMENTS) + ", " + value(elements) + ")";
  }

  /** A number that starts at some value where it is missing. */
  void count(String attribute, long start, long amount) {
    String path = aliases.name(attribute);
    actions.add(set(path, sum(path, start, amount)));
  }

  /** A value that every write sets, or the first one alone. */
  void stamp(String attribute, AttributeValue value, boolean once) {
    String path = aliases.name(attribute);
    actions.add(set(path, once ? orElse(path, value) : value(value)));
  }

  /** Another attribute's value, or one given where that attribute is missing. */
  void copy(String attribute, String from, Object otherwise) {
    actions.add(set(aliases.name(attribute), orElse(aliases.name(from), otherwise)));
  }

  /** An action that DynamoDB refuses if the condition is true: it holds no such sum. */
  void overflow() {
    String nowhere = aliases.name("\u0000overflow");
    actions.add(set(nowhere, sum(nowhere, MOST, MOST)));
  }

  /** Actions of an update expression that somebody else wrote. */
  void given(Map<Clause, String> others) {
    given = others;
  }

  /** The update expression. */
  String render() {
    StringBuilder out = new StringBuilder(USUAL_LENGTH);
    for (Clause clause : CLAUSES) {
      int before = out.length();
      out.append(given.getOrDefault(clause, ""));
      for (Action action : actions) {
        if (action.clause() == clause) {
          action.appendTo(out.append(out.length() == before ? "" : ", "));
        }
      }
      if (out.length() > before) {
        out.insert(before, clause.opening()).append(' ');
      }
    }
    return out.substring(0, out.length() - 1);
  }

  /** The same as the Enhanced Client's actions, each with the placeholders of all. */
  UpdateExpression enhanced() {
    Map<String, String> names = aliases.names();
    Map<String, AttributeValue> values = aliases.values();
    UpdateExpression.Builder expression = UpdateExpression.builder();
    for (Action action : actions) {
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
