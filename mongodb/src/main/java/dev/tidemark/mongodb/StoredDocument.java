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
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Stored;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under a key, as far as it was read.
 *
 * @param context the store
 * @param key the key
 * @param found the record, as the kernel judges it
 * @param document the fields; empty if there is none, null if they were not read
 * @param isPartial whether marks of other sources were left out
 * @param ruleHolds whether the rule of the request that was refused is true; null if it was not
 *     asked
 * @param hasNulls whether an explicit null stands for a mark
 */
record StoredDocument<T>(
    Context<T> context,
    EntityKey key,
    Found<T> found,
    @Nullable BsonDocument document,
    boolean isPartial,
    @Nullable Boolean ruleHolds,
    boolean hasNulls)
    implements Stored<T> {

  static <T> StoredDocument<T> nothing(Context<T> context, EntityKey key) {
    return new StoredDocument<>(
        context, key, Found.nothing(), new BsonDocument(), false, null, false);
  }

  /** The same, where the caller's own filter was tried too. */
  StoredDocument<T> where(boolean matches) {
    return new StoredDocument<>(context, key, found, document, isPartial, matches, hasNulls);
  }

  /** The fields of what was read whole. */
  BsonDocument read() {
    return Objects.requireNonNull(document);
  }

  @Override
  public FoldedFunctions<T> functions() {
    boolean deleted = found.marks().containsKey(context.names().tombstone());
    BsonDocument live = document == null || deleted ? new BsonDocument() : document;
    return new Functions<>(context.mapping(), key, context.mapping().key(key), live);
  }

  /** An absent or deleted entity is an empty one to a rule. */
  @Override
  public @Nullable Boolean refusesRuleOf(Request<T> refused) {
    Boolean told = ruleHolds;
    if (found.state(context.names(), refused.marking().now()) != Found.State.LIVE) {
      return isFalse(refused, new BsonDocument());
    }
    if (told != null) {
      return !told;
    }
    boolean own = refused.effect() instanceof Effect.Own;
    return (document == null || own) ? null : isFalse(refused, document);
  }

  /** The functions that a request has called. */
  static <T> Functions<T> functions(Effect.Called<T> called) {
    return (Functions<T>) called.functions();
  }

  private boolean isFalse(Request<T> refused, BsonDocument entity) {
    Condition rule = Pipelines.change(refused).condition().orElse(Condition.always());
    return !new ReadRule(entity, context.mapping().values()).isTrue(rule);
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
      } else if (!value.equals(before.get(name))) {
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
        BsonDocument document = mapping.document(result);
        Mapping.requireKey(document, id, key);
        document.keySet().forEach(Properties::checkName);
        changed = !document.equals(after == null ? before : after);
        after = document;
        entity = result;
        return decision;
      } catch (RuntimeException | Error e) {
        restore(); // a mutable entity may be half changed
        throw e;
      }
    }

    private void restore() {
      boolean exists = after != null || !stored.isEmpty();
      entity = exists ? mapping.entity(document()) : null;
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

    /** The document as the functions left it, with what the entity does not map. */
    BsonDocument document() {
      BsonDocument others = stored.clone();
      if (after != null) {
        before.keySet().forEach(others::remove);
        others.putAll(after);
      }
      BsonDocument document = id.clone();
      others.forEach(document::putIfAbsent);
      return document;
    }
  }
}
