package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Operation;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Source;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Portable changes in DynamoDB's own words, by every method that native updates have. */
final class NativeChanges {
  /** The clauses of an update expression, in any order. */
  private enum Clause {
    SET,
    ADD,
    DELETE,
    REMOVE
  }

  private final Change change;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private final Map<Clause, List<String>> clauses = new EnumMap<>(Clause.class);

  private NativeChanges(Change change) {
    this.change = change;
  }

  /**
   * The same as a native update; empty for rules that nobody has translated, for operations that
   * make parents, which no expression does, and for none, without which there is no expression.
   */
  static Optional<EntityUpdate> of(Change change) {
    if (change.operations().isEmpty()
        || change.operations().stream().anyMatch(Operation::createsParents)) {
      return Optional.empty();
    }
    NativeChanges words = new NativeChanges(change);
    change.operations().forEach(words::add);
    Optional<String> rule = change.condition().map(words::rule);
    return rule.isPresent() && rule.get().isEmpty()
        ? Optional.empty()
        : Optional.of(words.update(rule.orElse("")));
  }

  private void add(Operation operation) {
    String path =
        operation.path().segments().stream().map(this::name).collect(Collectors.joining("."));
    switch (operation.kind()) {
      case ASSIGN -> put(Clause.SET, path + " = " + value(operation.value()));
      case ASSIGN_IF_ABSENT ->
          put(
              Clause.SET,
              "%s = if_not_exists(%s, %s)".formatted(path, path, value(operation.value())));
      case INCREASE -> put(Clause.ADD, path + " " + value(operation.amount()));
      case APPEND_ALL ->
          put(
              Clause.SET,
              "%s = list_append(if_not_exists(%s, %s), %s)"
                  .formatted(path, path, value(List.of()), value(operation.elements())));
      case ADD_ALL -> put(Clause.ADD, path + " " + value(operation.elements()));
      case REMOVE_ALL -> put(Clause.DELETE, path + " " + value(operation.elements()));
      case REMOVE -> put(Clause.REMOVE, path);
    }
  }

  private void put(Clause clause, String action) {
    clauses.computeIfAbsent(clause, one -> new ArrayList<>()).add(action);
  }

  private String name(String attribute) {
    String placeholder = "#" + attribute;
    names.put(placeholder, attribute);
    return placeholder;
  }

  private String value(Object value) {
    String placeholder = ":v" + values.size();
    values.put(placeholder, Values.toNative(value));
    return placeholder;
  }

  /** A rule in DynamoDB's words; empty text if it is of another kind. */
  private String rule(Condition condition) {
    if (condition instanceof Condition.Joined joined) {
      List<String> parts = joined.parts().stream().map(this::rule).toList();
      boolean all = !parts.isEmpty() && parts.stream().noneMatch(String::isEmpty);
      return !all
          ? ""
          : joined.join() == Condition.Join.NOT
              ? "(NOT " + parts.get(0) + ")"
              : "(" + String.join(" " + joined.join() + " ", parts) + ")";
    }
    Condition.Test test = (Condition.Test) condition;
    String path = test.path().segments().stream().map(this::name).collect(Collectors.joining("."));
    return switch (test.operator()) {
      case EQUAL -> path + " = " + value(test.value());
      case LESS -> path + " < " + value(test.value());
      case AT_MOST -> path + " <= " + value(test.value());
      case GREATER -> path + " > " + value(test.value());
      case AT_LEAST -> path + " >= " + value(test.value());
      case EXISTS -> "attribute_exists(" + path + ")";
      case IN ->
          path
              + " IN ("
              + test.values().stream().map(this::value).collect(Collectors.joining(", "))
              + ")";
      case CONTAINS -> "contains(" + path + ", " + value(test.value()) + ")";
      case SIZE_BELOW, OF_KIND -> "";
    };
  }

  private EntityUpdate update(String rule) {
    String text =
        clauses.entrySet().stream()
            .map(clause -> clause.getKey() + " " + String.join(", ", clause.getValue()))
            .collect(Collectors.joining(" "));
    DynamoDbNativeUpdate update =
        values.size() % 2 == 0 ? byRequest(text, rule) : byMethods(text, rule);
    EntityUpdate.Rules rules = change.rules();
    update = rules.creates() ? update.createIfMissing() : update;
    update = rules.revives() ? update.recreate() : update;
    update = rules.skipsOtherwise() ? update.otherwiseSkip() : update;
    update = rules.returns() ? update.returning() : update;
    for (Source source : rules.retired()) {
      update = update.retire(source);
    }
    for (OutgoingMessage message : rules.published()) {
      update = update.publish(message);
    }
    return update;
  }

  private DynamoDbNativeUpdate byRequest(String text, String rule) {
    UpdateItemRequest.Builder request =
        UpdateItemRequest.builder()
            .expressionAttributeNames(names)
            .expressionAttributeValues(values)
            .returnValues(ReturnValue.NONE);
    if (!text.isEmpty()) {
      request.updateExpression(text);
    }
    return DynamoDbNativeUpdate.of(
        (rule.isEmpty() ? request : request.conditionExpression(rule)).build());
  }

  private DynamoDbNativeUpdate byMethods(String text, String rule) {
    DynamoDbNativeUpdate update = DynamoDbNativeUpdate.of(text);
    for (Map.Entry<String, String> name : names.entrySet()) {
      update = update.name(name.getKey(), name.getValue());
    }
    for (Map.Entry<String, AttributeValue> value : values.entrySet()) {
      update = update.value(value.getKey(), value.getValue());
    }
    return rule.isEmpty() ? update : update.onlyIf(rule);
  }
}
