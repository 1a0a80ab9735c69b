package dev.tidemark.dynamodb;

import dev.tidemark.Decision;
import dev.tidemark.Operation;
import dev.tidemark.Write;
import dev.tidemark.kernel.FoldedFunctions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Functions over one item, one after the other. */
final class Functions<T> implements FoldedFunctions<T> {
  private final Mapping<T> mapping;
  private final Map<String, AttributeValue> key;
  private final Item<T> stored;
  private Map<String, AttributeValue> before;
  private boolean begun;
  private @Nullable Map<String, AttributeValue> after;
  private @Nullable T entity;

  Functions(Mapping<T> mapping, Map<String, AttributeValue> key, Item<T> stored) {
    this.mapping = mapping;
    this.key = key;
    this.stored = stored;
    this.before = key;
  }

  /** Maps what is stored, which a batch without functions does not need. */
  private void begin() {
    T first = begun ? null : mapping.required(stored);
    if (first != null) {
      entity = first;
      before = mapping.attributes(first);
    }
    begun = true;
  }

  @Override
  public Decision<T> apply(Write.Action.Apply<T> write) {
    begin();
    try {
      T current = entity == null ? mapping.withKey(write.initial(), key) : entity;
      Decision<T> decision = write.decide(current);
      if (!(decision instanceof Decision.To<T> to)) {
        restore();
        return decision;
      }
      T result = to.entity();
      Map<String, AttributeValue> attributes = mapping.attributes(result);
      mapping.requireKey(before, attributes);
      after = attributes;
      entity = result;
      return decision;
    } catch (RuntimeException | Error e) {
      restore(); // a mutable entity may be half changed
      throw e;
    }
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

  @Override
  public @Nullable T entity() {
    return entity;
  }

  /** What the functions changed. */
  List<Operation> difference() {
    return after == null ? List.of() : mapping.difference(before, after);
  }
}
