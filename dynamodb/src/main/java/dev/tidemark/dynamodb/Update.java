package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Conditions and actions of one conditional write, as they come together. Mutable; for one use. */
final class Update {
  private final Aliases aliases;
  private final Operations operations;
  private final String keyAttribute;
  private final List<String> conditions = new ArrayList<>();
  private final Map<String, String> givenNames = new LinkedHashMap<>();
  private final Map<String, AttributeValue> givenValues = new LinkedHashMap<>();

  /** The placeholders start with a prefix that the caller's own do not have. */
  Update(String keyAttribute, String prefix) {
    this.keyAttribute = keyAttribute;
    this.aliases = new Aliases(prefix);
    this.operations = new Operations(aliases);
  }

  void require(Condition condition, Converter converter) {
    require(new Conditions(aliases, converter, keyAttribute).render(condition));
  }

  /** A condition as text, with placeholders that {@link #given} has. */
  void require(String condition) {
    if (!condition.isEmpty()) {
      conditions.add(condition);
    }
  }

  void requireExists(boolean exists) {
    require(
        (exists ? "attribute_exists(" : "attribute_not_exists(")
            + aliases.name(keyAttribute)
            + ")");
  }

  void change(Collection<? extends Operation> changes, Converter converter) {
    changes.forEach(operation -> operations.add(operation, converter));
  }

  Operations operations() {
    return operations;
  }

  /** Placeholders of the caller's own expressions. */
  void given(Map<String, String> names, Map<String, AttributeValue> values) {
    givenNames.putAll(names);
    givenValues.putAll(values);
  }

  String condition() {
    return String.join(" AND ", conditions);
  }

  Map<String, String> names(String... expressions) {
    Map<String, String> names = new LinkedHashMap<>(aliases.names(expressions));
    names.putAll(Aliases.used(givenNames, expressions));
    return names;
  }

  Map<String, AttributeValue> values(String... expressions) {
    Map<String, AttributeValue> values = new LinkedHashMap<>(aliases.values(expressions));
    values.putAll(Aliases.used(givenValues, expressions));
    return values;
  }

  /** Puts everything into a request; DynamoDB refuses empty maps of placeholders. */
  UpdateItemRequest.Builder into(UpdateItemRequest.Builder request) {
    String update = operations.render();
    String condition = condition();
    Map<String, AttributeValue> values = values(update, condition);
    return request
        .updateExpression(update)
        .conditionExpression(condition)
        .expressionAttributeNames(names(update, condition))
        .expressionAttributeValues(values.isEmpty() ? null : values);
  }
}
