package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/**
 * Portable operations as the kernel evaluates them: whether they fit a document, and what they come
 * to over one that was read or over nothing.
 */
final class ReadChange {
  private final Context<?> context;
  private final Operation.Cases<Operation> operations;

  ReadChange(Context<?> context) {
    this.context = context;
    this.operations =
        new Operation.Cases<>(
            assign -> assign,
            assign -> assign,
            increase ->
                value(increase.amount()) instanceof Number amount
                    ? new Operation.Increase(increase.path(), amount)
                    : increase,
            append -> append,
            add -> new Operation.AddAll(add.path(), set(add.elements())),
            remove -> new Operation.RemoveAll(remove.path(), set(remove.elements())),
            remove -> remove);
  }

  private Set<Object> set(Collection<Object> elements) {
    return elements.stream().map(this::value).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private Object value(Object value) {
    return Values.decode(Values.encode(value, context.registry()));
  }

  /**
   * Refuses operations that what is stored does not fit.
   *
   * @throws InvalidChangeException if a parent is missing, a value is of another type than an
   *     operation needs, or a sum would overflow
   */
  void requireFit(List<Operation> change, BsonDocument document) {
    Map<String, Object> after = after(change, Values.decode(document));
    for (Operation operation : change) {
      Path path = operation.path();
      boolean sum = operation instanceof Operation.Increase;
      if (sum && !context.mapping().properties().holds(path, Values.at(after, path))) {
        throw new InvalidChangeException("'" + path + "' would overflow", null, null);
      }
    }
  }

  private Map<String, Object> after(List<Operation> change, Map<String, Object> entity) {
    Map<String, Object> result = entity;
    for (Operation operation : change) {
      boolean set =
          operation instanceof Operation.AddAll || operation instanceof Operation.RemoveAll;
      Map<String, Object> typed =
          set ? Values.withSet(result, operation.path().segments()) : result;
      result = Evaluator.apply(List.of(operation.match(operations)), typed);
    }
    return result;
  }

  /** The entity's fields after the operations; those that stay are as they were stored. */
  BsonDocument applied(List<Operation> change, BsonDocument fields) {
    Map<String, Object> before = Values.decode(fields);
    Map<String, Object> after = after(change, before);
    BsonDocument document = fields.clone();
    document.keySet().retainAll(after.keySet());
    after.forEach(
        (name, value) -> {
          if (!value.equals(before.get(name))) {
            document.put(name, Values.encode(value, context.registry()));
          }
        });
    return document;
  }

  /** What the operations come to where there is nothing. */
  List<Operation> assigned(List<Operation> change) {
    List<Operation> assigned = new ArrayList<>();
    after(change, Map.of())
        .forEach((name, value) -> assigned.add(new Operation.Assign(Path.of(name), value)));
    return assigned;
  }

  /** The same operations, where update operators cannot say one its result, if nothing changes. */
  List<Operation> resolved(
      List<Operation> change, BsonDocument document, List<BsonDocument> filters) {
    List<Operation> resolved = new ArrayList<>();
    for (Operation operation : change) {
      if (UpdateOperators.canSay(List.of(operation))) {
        resolved.add(operation);
        continue;
      }
      Path path = operation.path();
      filters.add(Filters.isStill(path, document));
      Object value = Values.at(after(List.of(operation), Values.decode(document)), path);
      if (value != null) {
        resolved.add(new Operation.Assign(path, value));
      } else if (Values.at(document, path) != null) {
        resolved.add(new Operation.Remove(path));
      }
    }
    return resolved;
  }

  /**
   * The fields of an entity that a change makes out of nothing.
   *
   * @throws InvalidChangeException if the change needs something to be there
   */
  BsonDocument created(EntityKey key, Change change) {
    try {
      List<Operation> neutral =
          change.operations().stream()
              .<Operation>map(operation -> operation.match(operations))
              .toList();
      Map<String, Object> after = new LinkedHashMap<>(Evaluator.apply(neutral, Map.of()));
      for (Operation operation : change.operations()) { // a double stays one, as on the server
        if (operation instanceof Operation.Increase increase
            && (increase.amount() instanceof Double || increase.amount() instanceof Float)) {
          after.replace(increase.path().segments().get(0), increase.amount().doubleValue());
        }
      }
      return Values.encode(after, context.registry()).asDocument();
    } catch (InvalidChangeException e) {
      throw new InvalidChangeException(String.valueOf(e.getMessage()), key, e);
    }
  }
}
