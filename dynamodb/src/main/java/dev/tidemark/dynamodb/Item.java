package dev.tidemark.dynamodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.Write;
import dev.tidemark.kernel.FoldedFunctions;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Stored;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What is stored under a key.
 *
 * @param mapping maps it
 * @param key the key
 * @param attributes the whole item; empty if there is none
 * @param found the same, decoded
 * @param <T> the entity's type
 */
record Item<T>(
    Mapping<T> mapping, EntityKey key, Map<String, AttributeValue> attributes, Found<T> found)
    implements Stored<T> {

  /**
   * The entity for whoever needs it; null where there is none.
   *
   * @throws CorruptRecordException if it cannot be mapped; the key is the caller's to add
   */
  @Nullable T entity() {
    T entity = found.entity();
    return entity != null || mapping.isGone(attributes) ? entity : mapping.entity(attributes);
  }

  @Override
  public Functions<T> functions() {
    return new Functions<>(this);
  }

  /** Functions over one item, one after the other. */
  static final class Functions<T> implements FoldedFunctions<T> {
    private final Mapping<T> mapping;
    private final Item<T> item;
    private Map<String, AttributeValue> before;
    private boolean begun;
    private @Nullable Map<String, AttributeValue> after;
    private boolean changed;
    private @Nullable T entity;

    Functions(Item<T> item) {
      this.mapping = item.mapping();
      this.item = item;
      this.before = mapping.keys().of(item.key());
    }

    /** Maps what is stored, which a batch without functions does not need. */
    private void begin() {
      T first = begun ? null : item.entity();
      if (first != null) {
        entity = first;
        before = mapping.attributes(first, true);
      }
      begun = true;
    }

    @Override
    public Decision<T> apply(Write.Action.Apply<T> write) {
      begin();
      try {
        Map<String, AttributeValue> key = mapping.keys().of(item.key());
        T current = entity == null ? mapping.withKey(write.initial(), key) : entity;
        Decision<T> decision = write.decide(current);
        if (!(decision instanceof Decision.To<T> to)) {
          restore();
          return decision;
        }
        T result = to.entity();
        Map<String, AttributeValue> attributes = mapping.attributes(result, true);
        if (!mapping.keys().of(before).equals(mapping.keys().of(attributes))) {
          throw new IllegalArgumentException("the function must not change the key");
        }
        changed = !attributes.equals(after == null ? before : after);
        after = attributes;
        entity = result;
        return decision;
      } catch (RuntimeException | Error e) {
        restore(); // a mutable entity may be half changed
        throw e;
      }
    }

    private void restore() {
      Map<String, AttributeValue> attributes = new LinkedHashMap<>(item.attributes());
      if (after != null) {
        attributes.keySet().removeAll(before.keySet());
        attributes.putAll(after);
      }
      boolean exists = after != null || item.found().entity() != null;
      entity = exists ? mapping.entity(attributes) : null;
    }

    @Override
    public boolean changed() {
      return changed;
    }

    @Override
    public @Nullable T entity() {
      return entity;
    }

    /** What the functions changed. */
    List<Operation> difference() {
      return after == null ? List.of() : Mapping.difference(before, after);
    }
  }
}
