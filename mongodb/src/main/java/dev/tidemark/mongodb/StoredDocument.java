package dev.tidemark.mongodb;

import dev.tidemark.Condition;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Write;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.FoldedFunctions;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Stored;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under a key, as far as it was read: what the messages of one run need. A set of
 * ids may have left out those of other messages, so what is written over it changes each mark by
 * itself. It says nothing of a request: what an answer tells of the rule of one is told with that
 * request.
 *
 * @param context the store
 * @param key the key
 * @param found the same as the judge reads it
 * @param document the fields; empty if there is none, null if they were not read
 * @param marks the marks as they were read, nulls too, nested along the dots
 * @param fields the names of all fields that are there; null but of a tombstone, or of nothing
 * @param isPartial whether marks of other sources were left out
 */
record StoredDocument<T>(
    Context<T> context,
    EntityKey key,
    Found<T> found,
    @Nullable BsonDocument document,
    BsonDocument marks,
    @Nullable Set<String> fields,
    boolean isPartial)
    implements Stored<T> {
  static <T> StoredDocument<T> nothing(Context<T> context, EntityKey key) {
    BsonDocument none = new BsonDocument();
    return new StoredDocument<>(context, key, Found.nothing(), none, none, Set.of(), false);
  }

  @Override
  public FoldedFunctions<T> functions() {
    boolean deleted = found.marks().containsKey(context.names().tombstone());
    BsonDocument live = document == null || deleted ? new BsonDocument() : document;
    return new Functions<>(context.mapping(), key, context.mapping().key(key), live);
  }

  /** A filter of the caller's own only the server can try. */
  @Override
  public @Nullable Boolean refuses(Effect<T> effect) {
    BsonDocument entity = document;
    if (entity == null || !(effect instanceof Effect.Changes<T> changes)) {
      return null;
    }
    Condition rule = changes.change().condition().orElse(Condition.always());
    return !new ReadRule(entity, context.mapping().values()).isTrue(rule);
  }

  /** The functions that a request has called. */
  static <T> Functions<T> functions(Effect.Called<T> called) {
    return (Functions<T>) called.functions();
  }

  /** What makes one document of another, their keys apart. */
  static List<Operation> difference(BsonDocument before, BsonDocument after, BsonDocument id) {
    List<Operation> operations = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>(after.keySet());
    names.addAll(before.keySet());
    names.removeAll(id.keySet());
    for (String name : names) {
      BsonValue value = after.get(name);
      if (value == null) {
        operations.add(Operation.remove(Path.of(Properties.checkName(name))));
      } else if (!Values.isSame(value, before.get(name))) {
        operations.add(Operation.assign(Path.of(Properties.checkName(name)), value));
      }
    }
    return operations;
  }

  /** Functions over one document, one after the other. */
  static final class Functions<T> implements FoldedFunctions<T> {
    private final Mapping<T> mapping;
    private final EntityKey key;
    private final BsonDocument id;
    private final BsonDocument stored;
    private BsonDocument before = new BsonDocument();

    private boolean begun;
    private @Nullable BsonDocument after;
    private boolean changed;
    private @Nullable T entity;

    /**
     * Prepares functions.
     *
     * @param id the fields of the key
     * @param stored the whole document; empty where there is no live one
     */
    Functions(Mapping<T> mapping, EntityKey key, BsonDocument id, BsonDocument stored) {
      this.mapping = mapping;
      this.key = key;
      this.id = id;
      this.stored = stored;
    }

    /** Maps what is stored, which a batch without functions does not need. */
    private void begin() {
      if (!begun && !stored.isEmpty()) {
        T first = mapping.entity(stored);
        entity = first;
        before = mapping.document(first);
        mapping
            .filledIn()
            .takeBack(
                before, stored, Values::orNull, () -> mapping.document(mapping.entity(stored)));
      }
      begun = true;
    }

    @Override
    public Decision<T> apply(Write.Action.Apply<T> write) {
      begin();
      try {
        T current = entity == null ? mapping.keyed(write.initial(), id) : entity;
        Decision<T> decision = write.decide(current);
        if (!(decision instanceof Decision.To<T> to)) {
          restore();
          return decision;
        }
        T result = to.entity();
        BsonDocument last = after == null ? before : after;
        BsonDocument document = mapping.document(result);
        Mapping.requireKey(document, id, key);
        document.replaceAll(
            (name, value) -> unlessSame(name, before, unlessSame(name, last, value)));
        requireNames(document, last);
        changed = !isSame(document, last);
        after = document;
        entity = result;
        return decision;
      } catch (RuntimeException | Error e) {
        restore(); // a mutable entity may be half changed
        throw e;
      }
    }

    private BsonValue unlessSame(String name, BsonDocument earlier, BsonValue value) {
      return mapping.values().unlessSame(name, earlier.get(name), value);
    }

    /** Names of fields that stay as they are stored are nobody's concern. */
    private static void requireNames(BsonDocument document, BsonDocument last) {
      document.forEach(
          (name, value) -> {
            if (!value.equals(last.get(name))) {
              Properties.checkName(name);
            }
          });
    }

    /** Whether documents have the same fields, in any order, and these the same values. */
    private static boolean isSame(BsonDocument one, BsonDocument other) {
      return one.keySet().equals(other.keySet())
          && one.entrySet().stream()
              .allMatch(field -> Values.isSame(field.getValue(), other.get(field.getKey())));
    }

    private void restore() {
      boolean exists = after != null || !stored.isEmpty();
      entity = exists ? mapping.entity(document()) : null;
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

    /** What the functions changed of a document that is there. */
    List<Operation> difference() {
      return StoredDocument.difference(before, after == null ? before : after, id);
    }

    /** The stored document with what the functions changed of it. */
    BsonDocument document() {
      BsonDocument others = stored.clone();
      FoldedFunctions.change(others, difference(), BsonValue.class);
      BsonDocument document = id.clone();
      others.forEach(document::putIfAbsent);
      return document;
    }
  }
}
