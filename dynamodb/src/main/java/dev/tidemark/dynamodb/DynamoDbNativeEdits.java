package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.AssignIfAbsent;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Path;
import dev.tidemark.dynamodb.DynamoDbExpressions.Clause;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.mapper.UpdateBehavior;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Turns updates in the words of the SDK and of the Enhanced Client into edits. */
final class DynamoDbNativeEdits<T> {
  private final String table;
  private final DynamoDbMapping<T> mapping;

  DynamoDbNativeEdits(String table, DynamoDbMapping<T> mapping) {
    this.table = table;
    this.mapping = mapping;
  }

  DynamoDbEdit edit(DynamoDbNativeUpdate update, Map<String, AttributeValue> key) {
    UpdateItemRequest request = update.request();
    if (request.tableName() != null && !request.tableName().equals(table)) {
      throw new IllegalArgumentException(
          "the request is for table '" + request.tableName() + "', the store for '" + table + "'");
    }
    if (request.hasKey() && !request.key().equals(key)) {
      throw new IllegalArgumentException("the request has another key than the call");
    }
    Map<String, String> names = update.names();
    Map<String, AttributeValue> values = update.values();
    String condition =
        update.condition().isBlank() ? "" : DynamoDbExpressions.enclose(update.condition());
    DynamoDbExpressions.check(names.keySet(), values.keySet(), update.update(), condition);
    Map<Clause, List<String>> actions = DynamoDbExpressions.actions(update.update());
    Set<String> targets = targets(actions, names);
    targets.forEach(mapping::checkNativeChange);
    return new DynamoDbEdit(
        update.rules(),
        !condition.isEmpty(),
        DynamoDbExpressions.prefix(names.keySet(), values.keySet()),
        targets,
        DynamoDbSums.NONE,
        write -> {
          write.given(names, values);
          write.require(condition);
          write.operations().addAll(actions);
        },
        request);
  }

  private static Set<String> targets(Map<Clause, List<String>> actions, Map<String, String> names) {
    Set<String> targets = new LinkedHashSet<>();
    actions.forEach(
        (clause, all) ->
            all.forEach(action -> targets.add(DynamoDbExpressions.target(clause, action, names))));
    return targets;
  }

  /** What the Enhanced Client would write, version included. */
  DynamoDbEdit edit(UpdateItemEnhancedRequest<T> request, Change rules) {
    List<Operation> operations = operations(request);
    Expression condition = request.conditionExpression();
    List<Condition> version = mapping.isVersionOf(request.item());
    Map<String, String> names = new LinkedHashMap<>();
    Map<String, AttributeValue> values = new LinkedHashMap<>();
    String text = "";
    if (condition != null) {
      names.putAll(orEmpty(condition.expressionNames()));
      values.putAll(orEmpty(condition.expressionValues()));
      text = DynamoDbExpressions.enclose(condition.expression());
      DynamoDbExpressions.check(names.keySet(), values.keySet(), text);
    }
    String own = text;
    DynamoDbEdit edit =
        new DynamoDbEdit(
            rules,
            condition != null || !version.isEmpty(),
            DynamoDbExpressions.prefix(names.keySet(), values.keySet()),
            Set.of(),
            DynamoDbSums.NONE,
            write -> {
              write.given(names, values);
              write.require(own);
              version.forEach(rule -> write.require(rule, DynamoDbConverter.NEUTRAL));
            },
            UpdateItemRequest.builder()
                .returnConsumedCapacity(request.returnConsumedCapacity())
                .returnItemCollectionMetrics(request.returnItemCollectionMetrics())
                .build());
    return edit.with(operations);
  }

  private static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
    return map == null ? Map.of() : map;
  }

  @SuppressWarnings("deprecation") // ignoreNulls is what existing requests say.
  private List<Operation> operations(UpdateItemEnhancedRequest<T> request) {
    IgnoreNullsMode mode =
        Objects.requireNonNullElse(request.ignoreNullsMode(), IgnoreNullsMode.DEFAULT);
    boolean ignoring =
        mode != IgnoreNullsMode.DEFAULT || Boolean.TRUE.equals(request.ignoreNulls());
    boolean scalars = mode == IgnoreNullsMode.SCALAR_ONLY;
    List<Operation> operations = new ArrayList<>();
    mapping
        .attributes(request.item(), ignoring)
        .forEach(
            (name, value) -> {
              if (!mapping.keys().attributes().contains(name)) {
                add(operations, List.of(name), value, scalars);
              }
            });
    return operations;
  }

  /** In the scalar mode members of maps are written one by one, as the Enhanced Client does. */
  private void add(
      List<Operation> operations, List<String> path, AttributeValue value, boolean scalars) {
    if (scalars && value.hasM() && !value.m().isEmpty()) {
      value
          .m()
          .forEach(
              (name, member) -> {
                List<String> inner = new ArrayList<>(path);
                inner.add(name);
                if (member.type() != AttributeValue.Type.NUL) {
                  add(operations, inner, member, true);
                }
              });
    } else if (path.size() == 1 && value.type() == AttributeValue.Type.NUL) {
      operations.add(new Remove(new Path(path)));
    } else {
      boolean once =
          path.size() == 1
              && mapping.updateBehavior(path.get(0)) == UpdateBehavior.WRITE_IF_NOT_EXISTS;
      operations.add(
          once ? new AssignIfAbsent(new Path(path), value) : new Assign(new Path(path), value));
    }
  }
}
