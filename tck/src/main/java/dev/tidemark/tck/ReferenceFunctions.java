package dev.tidemark.tck;

import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.Write;
import dev.tidemark.kernel.FilledIn;
import dev.tidemark.kernel.FoldedFunctions;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Functions over one record of the reference, one after the other. */
final class ReferenceFunctions<T> implements FoldedFunctions<T> {
  private final ReferenceStored<T> stored;
  private final ReferenceMapper<T> mapper;
  private boolean begun;
  private Map<String, Object> before = Map.of();
  private @Nullable Map<String, Object> after;
  private boolean changed;
  private @Nullable T entity;

  ReferenceFunctions(ReferenceStored<T> stored) {
    this.stored = stored;
    this.mapper = stored.mapping().mapper();
  }

  /** Maps what is stored, which a batch without functions does not need. */
  private void begin() {
    T first = begun ? null : stored.entity();
    if (first != null) {
      entity = first;
      before = new LinkedHashMap<>(mapper.attributes(first));
      Map<String, Object> attributes = stored.attributes();
      new FilledIn()
          .takeBack(
              before,
              attributes,
              value -> value,
              () -> mapper.attributes(mapper.entity(stored.key(), attributes)));
    }
    begun = true;
  }

  @Override
  public Decision<T> apply(Write.Action.Apply<T> write) {
    begin();
    try {
      T current =
          entity == null ? mapper.entity(stored.key(), mapper.attributes(write.initial())) : entity;
      Decision<T> decision = write.decide(current);
      if (decision instanceof Decision.To<T> to) {
        requireKey(to.entity());
        Map<String, Object> attributes = mapper.attributes(to.entity());
        changed = !attributes.equals(after == null ? before : after);
        after = attributes;
        entity = to.entity();
      } else {
        restore();
      }
      return decision;
    } catch (RuntimeException | Error e) {
      restore(); // a mutable entity may be half changed
      throw e;
    }
  }

  private void requireKey(T entity) {
    if (!mapper.key(entity).equals(new EntityKey(stored.key().parts(), Map.of()))) {
      throw new IllegalArgumentException("the function changed the key");
    }
  }

  private void restore() {
    boolean exists = after != null || stored.isLive();
    entity = exists ? mapper.entity(stored.key(), madeOn(stored.attributes())) : null;
  }

  @Override
  public void renew(int recorded) {
    begin();
    restore();
  }

  @Override
  public boolean changed() {
    return changed;
  }

  @Override
  public @Nullable T entity() {
    return entity;
  }

  /** Makes what the functions changed on attributes, which may have others too. */
  Map<String, Object> madeOn(Map<String, Object> attributes) {
    Map<String, Object> result = new LinkedHashMap<>(attributes);
    Map<String, Object> last = after;
    if (last != null) {
      Set<String> all = new HashSet<>(before.keySet());
      all.removeAll(last.keySet());
      all.forEach(result::remove);
      last.forEach(
          (name, value) -> {
            if (!Objects.equals(before.get(name), value)) {
              result.put(name, value);
            }
          });
    }
    return result;
  }
}
