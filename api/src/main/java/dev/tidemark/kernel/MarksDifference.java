package dev.tidemark.kernel;

import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations that lead from some marks to others. A set that only grew is added to. */
final class MarksDifference {
  private MarksDifference() {}

  static List<Operation> between(
      Map<String, Object> before, Map<String, Object> after, Names names) {
    List<Operation> operations = new ArrayList<>();
    after.forEach(
        (name, value) -> {
          Object old = before.get(name);
          if (!Objects.equals(old, value)) {
            operations.add(operation(names.path(name), old, value));
          }
        });
    before.keySet().stream()
        .filter(name -> !after.containsKey(name))
        .forEach(name -> operations.add(Operation.remove(names.path(name))));
    return operations;
  }

  private static Operation operation(Path path, @Nullable Object old, Object value) {
    if (old instanceof Set<?> before && value instanceof Set<?> all && all.containsAll(before)) {
      Set<Object> added = new LinkedHashSet<>(all);
      added.removeAll(before);
      return new Operation(Operation.Kind.ADD_ALL, path, added);
    }
    return Operation.assign(path, value);
  }
}
