package dev.tidemark.dynamodb;

import dev.tidemark.Operation;
import dev.tidemark.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The maps that a change makes where its paths lead through nothing. DynamoDB writes into no map
 * that is missing, so a blind write requires them, and one over a known item sets each missing one
 * as a whole, with all that the change puts into it.
 *
 * @param required the paths at which maps have to be, each the parent of an operation
 */
record Parents(Set<Path> required) {
  static final Parents NONE = new Parents(Set.of());

  static Parents of(List<Operation> operations) {
    Set<Path> required = new LinkedHashSet<>();
    for (Operation operation : operations) {
      int size = operation.path().segments().size();
      if (operation.createsParents() && size > 1) {
        required.add(new Path(operation.path().segments().subList(0, size - 1)));
      }
    }
    return required.isEmpty() ? NONE : new Parents(required);
  }

  /** Whether an item has them all. */
  boolean accept(Map<String, AttributeValue> item) {
    return required.stream().allMatch(path -> isMap(at(item, path)));
  }

  private static boolean isMap(@Nullable AttributeValue value) {
    return value != null && value.type() == AttributeValue.Type.M;
  }

  private static boolean isNothing(@Nullable AttributeValue value) {
    return value == null || value.type() == AttributeValue.Type.NUL;
  }

  private static @Nullable AttributeValue at(Map<String, AttributeValue> item, Path path) {
    AttributeValue value = AttributeValue.fromM(item);
    for (String segment : path.segments()) {
      value = value != null && value.hasM() ? value.m().get(segment) : null;
    }
    return value;
  }

  /** The same operations over an item, with each missing map set as a whole. */
  static List<Operation> over(
      Map<String, AttributeValue> item, List<Operation> operations, Properties properties) {
    List<Operation> all = new ArrayList<>();
    Map<Path, Map<String, Object>> made = new LinkedHashMap<>();
    for (Operation operation : operations) {
      Path missing = operation.createsParents() ? missing(item, operation.path()) : null;
      if (missing == null) {
        all.add(meetsNull(item, operation) ? inPlace(operation, properties) : operation);
      } else {
        put(
            made.computeIfAbsent(missing, path -> new LinkedHashMap<>()),
            missing,
            operation,
            properties);
      }
    }
    made.forEach(
        (path, members) ->
            all.add(Operation.assign(path, AttributeValue.fromM(Values.toNative(members)))));
    return all;
  }

  /** Whether an operation that builds upon what is there finds NULL, which counts as missing. */
  static boolean meetsNull(Map<String, AttributeValue> item, Operation operation) {
    AttributeValue stored = buildsUpon(operation) ? at(item, operation.path()) : null;
    return stored != null && isNothing(stored);
  }

  /** Whether DynamoDB looks at what is there, and would not take NULL for missing. */
  static boolean buildsUpon(Operation operation) {
    return operation.kind() != Operation.Kind.ASSIGN && operation.kind() != Operation.Kind.REMOVE;
  }

  private static Operation inPlace(Operation operation, Properties properties) {
    AttributeValue value = given(operation, properties);
    return value == null
        ? Operation.remove(operation.path())
        : Operation.assign(operation.path(), value);
  }

  /** The outermost parent that is not there; null if there is none. */
  private static @Nullable Path missing(Map<String, AttributeValue> item, Path path) {
    for (int length = 1; length < path.segments().size(); length++) {
      Path parent = new Path(path.segments().subList(0, length));
      if (isNothing(at(item, parent))) {
        return parent;
      }
    }
    return null;
  }

  @SuppressWarnings("unchecked") // the maps are made here
  private static void put(
      Map<String, Object> map, Path at, Operation operation, Properties properties) {
    List<String> segments = operation.path().segments();
    Map<String, Object> inner = map;
    for (String segment : segments.subList(at.segments().size(), segments.size() - 1)) {
      inner = (Map<String, Object>) inner.computeIfAbsent(segment, name -> new LinkedHashMap<>());
    }
    AttributeValue value = given(operation, properties);
    if (value != null) {
      inner.put(segments.get(segments.size() - 1), value);
    }
  }

  /** What comes of an operation where there was nothing; null for nothing. */
  private static @Nullable AttributeValue given(Operation operation, Properties properties) {
    Path path = operation.path();
    return switch (operation.kind()) {
      case ASSIGN, ASSIGN_IF_ABSENT -> properties.value(path, operation.value());
      case INCREASE -> properties.number(path, operation.amount());
      case APPEND_ALL, ADD_ALL -> properties.elements(path, operation.elements());
      case REMOVE_ALL, REMOVE -> null;
    };
  }
}
