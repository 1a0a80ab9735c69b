package dev.tidemark.dynamodb;

import dev.tidemark.Operation;
import dev.tidemark.Write;
import dev.tidemark.kernel.FoldedFunctions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Functions over one item, one after the other. */
final class DynamoDbFoldedFunctions<T> implements FoldedFunctions<T> {
  private final DynamoDbMapping<T> mapping;
  private final Map<String, AttributeValue> key;
  private final DynamoDbStored<T> stored;
  private final Map<String, AttributeValue> before;
  private @Nullable Map<String, AttributeValue> after;
  private @Nullable T entity;

  DynamoDbFoldedFunctions(
      DynamoDbMapping<T> mapping, Map<String, AttributeValue> key, DynamoDbStored<T> stored) {
    this.mapping = mapping;
    this.key = key;
    this.stored = stored;
    this.entity = stored.found().entity();
    this.before = entity == null ? key : mapping.attributes(entity);
  }

  @Override
  public void apply(Write.Action.Apply<T> write) {
    try {
      T current = entity == null ? initial(write.initialOrNull()) : entity;
      T result = Objects.requireNonNull(write.function().apply(current), "the function's result");
      Map<String, AttributeValue> attributes = mapping.attributes(result);
      mapping.requireKey(before, attributes);
      after = attributes;
      entity = result;
    } catch (RuntimeException | Error e) {
      restore(); // a mutable entity may be half changed
      throw e;
    }
  }

  private T initial(@Nullable Supplier<T> initial) {
    T first = Objects.requireNonNull(initial, "initial").get();
    return mapping.withKey(Objects.requireNonNull(first, "initial value"), key);
  }

  private void restore() {
    Map<String, AttributeValue> item = new LinkedHashMap<>(stored.item());
    if (after != null) {
      item.keySet().removeAll(before.keySet());
      item.putAll(after);
    }
    boolean exists = after != null || stored.found().entity() != null;
    entity = exists ? mapping.entity(item) : null;
  }

  /** What the functions changed. */
  List<Operation> difference() {
    return after == null ? List.of() : mapping.difference(before, after);
  }
}
