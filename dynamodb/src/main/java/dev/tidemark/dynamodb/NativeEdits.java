package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.AssignIfAbsent;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Path;
import dev.tidemark.dynamodb.Expressions.Clause;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

  /** Expressions as they were given, with the placeholders that have a name or a value. */
  private record Given(
      String update, String condition, Map<String, String> names, Set<String> values) {
    Given copy() {
      return new Given(update, condition, Map.copyOf(names), Set.copyOf(values));
    }
  }

  /**
   * What is told from expressions alone.
   *
   * @param names those that the expressions use; DynamoDB refuses others
   * @param values the same
   * @param joints how two values of each placeholder come to one; null where they may not
   */
  private record Parsed(
      String condition,
      Map<Clause, String> actions,
      Set<String> targets,
      Map<String, String> names,
      Set<String> values,
      String prefix,
      @Nullable Map<String, Joint> joints,
      Map<Boolean, Template> templates) {
    Map<String, AttributeValue> used(Map<String, AttributeValue> given) {
      return given.size() == values.size() ? given : Expressions.used(given, values);
    }
  }

  /** The actions of a caller's expressions, with the values of one update. */
  private record Filled(Parsed parsed, Map<String, AttributeValue> values) implements Edit.Actions {
    @Override
    public void accept(Update write) {
      write.aliases().given(parsed.names(), values);
      write.require(parsed.condition());
      write.operations().given(parsed.actions());
    }

    @Override
    public Edit.Given given() {
      return new Edit.Given(parsed.templates(), values);
    }

    /** Only of the same expressions, as one handler makes them for event after event. */
    @Override
    public Edit.@Nullable Actions then(Edit.Actions next) {
      Map<String, Joint> joints = parsed.joints();
      if (joints == null || !(next instanceof Filled other) || !parsed.equals(other.parsed)) {
        return null;
      }
      Map<String, AttributeValue> both = new HashMap<>();
      for (String placeholder : parsed.values()) {
        AttributeValue joined =
            Objects.requireNonNull(joints.get(placeholder))
                .of(values.get(placeholder), other.values.get(placeholder));
        if (joined == null) {
          return null;
        }
        both.put(placeholder, joined);
      }
      return new Filled(parsed, both);
    }
  }

  private final String table;
  private final Mapping<T> mapping;
  private final Map<Given, Parsed> known = new ConcurrentHashMap<>();

  NativeEdits(String table, Mapping<T> mapping) {
    this.table = table;
    this.mapping = mapping;
  }

  Edit edit(DynamoDbNativeUpdate update, EntityKey key) {
    UpdateItemRequest request = update.request();
    if (request != null) {
      checkPlace(request, key);
    }
    Parsed parsed =
        parsed(
            new Given(
                update.update(), update.condition(), update.names(), update.values().keySet()));
    return new Edit(
        update.rules(),
        !parsed.condition().isEmpty(),
        parsed.prefix(),
        parsed.targets(),
        Edit.Sums.NONE,
        new Filled(parsed, parsed.used(update.values())),
        request);
  }

  private void checkPlace(UpdateItemRequest request, EntityKey key) {
    if (request.tableName() != null && !request.tableName().equals(table)) {
      throw new IllegalArgumentException(
          "the request is for table '%s', the store for '%s'"
              .formatted(request.tableName(), table));
    }
    if (request.hasKey() && !request.key().equals(mapping.keys().of(key))) {
      throw new IllegalArgumentException("the request has another key than the call");
    }
  }

  /** Most callers have few expressions, and give them other values each time. */
  private Parsed parsed(Given given) {
    Parsed before = known.get(given);
    if (before != null) {
      return before;
    }
    Parsed parsed = parse(given);
    if (known.size() < MOST_KNOWN) {
      known.put(given.copy(), parsed);
    }
    return parsed;
  }

  private Parsed parse(Given given) {
    String condition = given.condition().isBlank() ? "" : Expressions.enclose(given.condition());
    Expressions.check(given.names().keySet(), given.values(), given.update(), condition);
    Map<Clause, List<String>> actions = Expressions.actions(given.update());
    Set<String> targets = new HashSet<>();
    actions.forEach(
        (clause, all) ->
            all.forEach(action -> targets.add(Expressions.target(clause, action, given.names()))));
    targets.forEach(mapping::checkNativeChange);
    Set<String> used = Expressions.placeholders(given.update(), condition);
    Map<String, String> names = Expressions.used(given.names(), used);
    used.removeAll(names.keySet());
    String prefix = Expressions.prefix(given.names().keySet(), given.values());
    Map<Clause, String> texts = new EnumMap<>(Clause.class);
    actions.forEach((clause, all) -> texts.put(clause, String.join(", ", all)));
    return new Parsed(
        condition,
        texts,
        targets,
        names,
        used,
        prefix,
        Joint.of(actions),
        new ConcurrentHashMap<>());
  }

  /** What the Enhanced Client would write, version included. */
  Edit edit(UpdateItemEnhancedRequest<T> request, Rules rules) {
    List<Operation> operations = operations(request);
    Optional<Condition> version = mapping.counters().isVersionOf(request.item());
    Expression given =
        Objects.requireNonNullElse(
            request.conditionExpression(), Expression.builder().expression("").build());
    Map<String, AttributeValue> values = orEmpty(given.expressionValues());
    Parsed parsed =
        parsed(
            new Given("", given.expression(), orEmpty(given.expressionNames()), values.keySet()));
    Edit.Actions own = new Filled(parsed, parsed.used(values));
    return new Edit(
        rules,
        !parsed.condition().isEmpty() || version.isPresent(),
        parsed.prefix(),
        Edit.touched(operations),
        Edit.Sums.NONE,
        write -> {
          own.accept(write);
          version.ifPresent(write::require);
          write.change(operations);
        },
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

  /** In the scalar mode members of maps are written one by one, as the Enhanced Client does. */
  private void add(
      List<Operation> operations, List<String> path, AttributeValue value, boolean scalars) {
    boolean isNull = value.type() == AttributeValue.Type.NUL;
    if (scalars && value.hasM() && !value.m().isEmpty()) {
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
        operations.add(new Assign(new Path(path), value));
      }
    } else if (isNull) {
      operations.add(new Remove(new Path(path)));
    } else {
      boolean once = mapping.updateBehavior(path.get(0)) == UpdateBehavior.WRITE_IF_NOT_EXISTS;
      operations.add(
          once ? new AssignIfAbsent(new Path(path), value) : new Assign(new Path(path), value));
    }
  }
}
