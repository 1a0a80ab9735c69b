package dev.tidemark.mongodb;

import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;

/** Portable operations over a document that was read: whether they fit, and what they come to. */
final class ReadChange {
  private final Context<?> context;

  ReadChange(Context<?> context) {
    this.context = context;
  }

  /**
   * Refuses operations that what is stored does not fit.
   *
   * @throws InvalidChangeException if a parent is missing, a value is of another type than an
   *     operation needs, or a sum would overflow
   */
  void requireFit(List<Operation> operations, BsonDocument document) {
    Map<String, Object> after = after(operations, Values.decode(document));
    for (Operation operation : operations) {
      Path path = operation.path();
      boolean sum = operation instanceof Operation.Increase;
      if (sum && !context.mapping().properties().holds(path, Values.at(after, path))) {
        throw new InvalidChangeException("'" + path + "' would overflow", null, null);
      }
    }
  }

  private Map<String, Object> after(List<Operation> operations, Map<String, Object> entity) {
    Map<String, Object> result = entity;
    for (Operation operation : new Neutral(context.registry()).operations(operations)) {
      boolean set =
          operation instanceof Operation.AddAll || operation instanceof Operation.RemoveAll;
      Map<String, Object> typed =
          set ? Values.withSet(result, operation.path().segments()) : result;
      result = Evaluator.apply(List.of(operation), typed);
    }
    return result;
  }

  /** The entity's fields after the operations; those that stay are as they were stored. */
  BsonDocument applied(List<Operation> operations, BsonDocument fields) {
    Map<String, Object> before = Values.decode(fields);
    Map<String, Object> after = after(operations, before);
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
  List<Operation> assigned(List<Operation> operations) {
    List<Operation> assigned = new ArrayList<>();
    after(operations, Map.of())
        .forEach((name, value) -> assigned.add(new Operation.Assign(Path.of(name), value)));
    return assigned;
  }

  /** The same operations, where update operators cannot say one its result, if nothing changes. */
  List<Operation> resolved(
      List<Operation> operations, BsonDocument document, List<BsonDocument> tests) {
    List<Operation> resolved = new ArrayList<>();
    for (Operation operation : operations) {
      if (UpdateOperators.canSay(List.of(operation))) {
        resolved.add(operation);
        continue;
      }
      Path path = operation.path();
      tests.add(Filters.isStill(path, document));
      Object value = Values.at(after(List.of(operation), Values.decode(document)), path);
      if (value != null) {
        resolved.add(new Operation.Assign(path, value));
      } else if (Values.at(document, path) != null) {
        resolved.add(new Operation.Remove(path));
      }
    }
    return resolved;
  }
}
