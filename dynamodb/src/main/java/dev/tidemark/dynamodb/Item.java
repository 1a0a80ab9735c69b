package dev.tidemark.dynamodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Write;
import dev.tidemark.kernel.Effect;
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

  @Override
  @SuppressWarnings("unchecked")
  public boolean fits(Effect<T> effect) {
    if (!mapping.nullMarks(attributes).isEmpty()) {
      return false;
    }
    if (effect instanceof Effect.Changes<T> changes) {
      return Edit.of(changes.change(), mapping.properties()).accepts(attributes);
    }
    return effect instanceof Effect.Own<T> own
        && (own.update() instanceof RefusedWrites.Refused
            ? ((RefusedWrites.Refused<T>) own.update()).accepts(this)
            : ((Edit) own.update()).accepts(attributes));
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

    /** How many messages come before the next function, each of which moves counters on. */
    private int recorded;

    /** The generated times that a function left, where the item has none yet. */
    private Map<String, AttributeValue> times = Map.of();

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
        Map<String, AttributeValue> stored = item.attributes();
        mapping
            .filledIn()
            .takeBack(
                before,
                stored,
                Values::toNeutral,
                () -> mapping.attributes(mapping.entity(stored), true));
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
          boolean counts = decision instanceof Decision.Refuse<T> refusal && refusal.recorded();
          restore(counts ? recorded + 1 : recorded);
          return decision;
        }
        T result = to.entity();
        Map<String, AttributeValue> last = after == null ? before : after;
        Map<String, AttributeValue> attributes =
            new LinkedHashMap<>(mapping.attributes(result, true));
        attributes.replaceAll(
            (name, value) -> unlessSame(name, before, unlessSame(name, last, value)));
        for (Map.Entry<String, AttributeValue> one : attributes.entrySet()) {
          if (!one.getValue().equals(before.get(one.getKey()))) {
            requireNoEmptySet(one.getKey(), one.getValue(), item.key());
          }
        }
        if (!mapping.keys().of(before).equals(mapping.keys().of(attributes))) {
          throw new IllegalArgumentException("the function must not change the key");
        }
        changed = !attributes.equals(last);
        after = attributes;
        times = mapping.times(result);
        entity = written(result);
        return decision;
      } catch (RuntimeException | Error e) {
        restore(recorded); // a mutable entity may be half changed
        throw e;
      }
    }

    private AttributeValue unlessSame(
        String name, Map<String, AttributeValue> earlier, AttributeValue value) {
      return mapping.properties().unlessSame(name, earlier.get(name), value);
    }

    /** DynamoDB has no empty set, and would not say where one stands. */
    private static void requireNoEmptySet(String name, AttributeValue value, EntityKey key) {
      switch (value.type()) {
        case SS, NS, BS -> {
          if (Values.elements(value).isEmpty()) {
            throw new InvalidChangeException(
                "the function leaves an empty set in '"
                    + name
                    + "', which DynamoDB does not have; let it leave null",
                key,
                null);
          }
        }
        case L -> value.l().forEach(element -> requireNoEmptySet(name, element, key));
        case M ->
            value.m().forEach((at, member) -> requireNoEmptySet(name + "." + at, member, key));
        default -> {}
      }
    }

    /** What a function left, with its counters as the write of it alone would leave them. */
    private T written(T result) {
      boolean counts = !mapping.counters().attributes().isEmpty();
      T written = counts ? mapping.entityIfMapped(attributes(recorded + 1)) : null;
      return written == null ? result : written;
    }

    private Map<String, AttributeValue> attributes(int messages) {
      Map<String, AttributeValue> attributes = new LinkedHashMap<>(mapping.keys().of(item.key()));
      attributes.putAll(item.attributes());
      FoldedFunctions.change(attributes, difference(), AttributeValue.class);
      times.forEach(attributes::putIfAbsent);
      mapping.counters().moveOn(attributes, messages);
      return attributes;
    }

    private void restore(int messages) {
      boolean exists = after != null || item.found().entity() != null;
      entity = exists ? mapping.entity(attributes(messages)) : null;
    }

    @Override
    public void renew(int messages) {
      begin();
      recorded = messages;
      restore(messages);
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
