package dev.tidemark.dynamodb;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.dynamodb.Expressions.Filled;
import dev.tidemark.dynamodb.Expressions.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.mapper.UpdateBehavior;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Turns updates in the words of the SDK and of the Enhanced Client into edits. */
final class NativeEdits<T> {
  private static final int MOST_KNOWN = 256;

  private final String table;
  private final Mapping<T> mapping;
  private final Map<Given, Expressions> known = new ConcurrentHashMap<>();

  NativeEdits(String table, Mapping<T> mapping) {
    this.table = table;
    this.mapping = mapping;
  }

  Edit edit(DynamoDbNativeUpdate update, EntityKey key) {
    UpdateItemRequest request = update.request();
    if (request != null) {
      checkPlace(request, key);
    }
    Filled own = expressions(update.given()).with(update.values());
    return Edit.of(update.rules(), own, null, List.of(), request);
  }

  private void checkPlace(UpdateItemRequest request, EntityKey key) {
    if (request.tableName() != null && !request.tableName().equals(table)) {
      throw new IllegalArgumentException(
          "the request is for table '%s', the store for '%s'"
              .formatted(request.tableName(), table));
    }
    if (request.hasKey()
        && !Values.isSame(
            AttributeValue.fromM(request.key()), AttributeValue.fromM(mapping.keys().of(key)))) {
      throw new IllegalArgumentException("the request has another key than the call");
    }
  }

  /** Most callers have few expressions, and give them other values each time. */
  private Expressions expressions(Given given) {
    Expressions before = known.get(given);
    if (before != null) {
      return before;
    }
    Expressions read = Expressions.of(given);
    read.targets().forEach(mapping.properties()::checkChange);
    if (known.size() < MOST_KNOWN) {
      known.put(given.copy(), read);
    }
    return read;
  }

  /** What the Enhanced Client would write, version included. */
  Edit edit(UpdateItemEnhancedRequest<T> request, Rules rules) {
    Expression given =
        Objects.requireNonNullElse(
            request.conditionExpression(), Expression.builder().expression("").build());
    Map<String, AttributeValue> values = orEmpty(given.expressionValues());
    Map<String, String> names = orEmpty(given.expressionNames());
    return Edit.of(
        rules,
        expressions(new Given("", given.expression(), names, values.keySet())).with(values),
        mapping.counters().isVersionOf(request.item()).orElse(null),
        operations(request),
        UpdateItemRequest.builder()
            .returnConsumedCapacity(request.returnConsumedCapacity())
            .returnItemCollectionMetrics(request.returnItemCollectionMetrics())
            .build());
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
    Map<String, AttributeValue> attributes = mapping.attributes(request.item(), ignoring);
    attributes.keySet().removeAll(mapping.keys().attributes());
    List<Operation> operations = new ArrayList<>();
    attributes.forEach((name, value) -> add(operations, List.of(name), value, scalars));
    return operations;
  }

  private static boolean hasMember(Map<String, AttributeValue> map) {
    return map.values().stream().anyMatch(member -> member.type() != AttributeValue.Type.NUL);
  }

  /**
   * In the scalar mode members of maps are written one by one, as the Enhanced Client does: it
   * writes an attribute as a whole whose members are all NULL, as those of a bean with nothing are.
   */
  private void add(
      List<Operation> operations, List<String> path, AttributeValue value, boolean scalars) {
    boolean isNull = value.type() == AttributeValue.Type.NUL;
    if (scalars && value.hasM() && (path.size() > 1 || hasMember(value.m()))) {
      value
          .m()
          .forEach(
              (name, member) -> {
                List<String> inner = new ArrayList<>(path);
                inner.add(name);
                add(operations, inner, member, true);
              });
    } else if (path.size() > 1) {
      if (!isNull) {
        operations.add(Operation.assign(new Path(path), value));
      }
    } else if (isNull) {
      operations.add(Operation.remove(new Path(path)));
    } else {
      boolean once = mapping.updateBehavior(path.get(0)) == UpdateBehavior.WRITE_IF_NOT_EXISTS;
      operations.add(
          once
              ? Operation.assignIfAbsent(new Path(path), value)
              : Operation.assign(new Path(path), value));
    }
  }
}
