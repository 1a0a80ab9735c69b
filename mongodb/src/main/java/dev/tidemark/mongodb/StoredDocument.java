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
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under a key, as far as it was read. It says nothing of a request: what an answer
 * tells of the rule of one is told with that request.
 */
sealed interface StoredDocument<T> extends Stored<T> {
  /** The store. */
  Context<T> context();

  /** The key. */
  EntityKey key();

  @Override
  Found<T> found();

  /** The fields; empty if there is none, null if they were not read. */
  @Nullable BsonDocument document();

  /** The marks as they were read, nulls too, nested along the dots. */
  BsonDocument marks();

  /** The names of all fields that are there; null if they were not read. */
  @Nullable Set<String> fields();

  /**
   * All that is stored, or that nothing is. From no other a whole document can be written.
   *
   * @param document empty if there is none
   */
  record Whole<T>(Context<T> context, EntityKey key, Found<T> found, BsonDocument document)
      implements StoredDocument<T> {
    @Override
    public BsonDocument marks() {
      return document;
    }

    @Override
    public Set<String> fields() {
      return document.keySet();
    }
  }

  /**
   * Some of what is stored: what the messages of one run need. A set of ids may have left out those
   * of other messages, so what is written over a part changes each mark by itself.
   *
   * @param fields null but of a tombstone
   * @param isPartial whether marks of other sources were left out
   */
  record Part<T>(
      Context<T> context,
      EntityKey key,
      Found<T> found,
      @Nullable BsonDocument document,
      BsonDocument marks,
      @Nullable Set<String> fields,
      boolean isPartial)
      implements StoredDocument<T> {}

  static <T> StoredDocument<T> nothing(Context<T> context, EntityKey key) {
    return new Whole<>(context, key, Found.nothing(), new BsonDocument());
  }

  @Override
  default FoldedFunctions<T> functions() {
    BsonDocument read = document();
    boolean deleted = found().marks().containsKey(context().names().tombstone());
    BsonDocument live = read == null || deleted ? new BsonDocument() : read;
    return new Functions<>(context().mapping(), key(), context().mapping().key(key()), live);
  }

  /** An absent or deleted entity is an empty one to a rule; a filter only the server can try. */
  @Override
  default @Nullable Boolean refusesRuleOf(Request<T> refused) {
    boolean live = found().state(context().names(), refused.marking().now()) == Found.State.LIVE;
    BsonDocument entity = live ? document() : new BsonDocument();
    boolean own = refused.effect() instanceof Effect.Own;
    if (entity == null || (live && own)) {
      return null;
    }
    Condition rule = Pipelines.change(refused).condition().orElse(Condition.always());
    return !new ReadRule(entity, context().mapping().values()).isTrue(rule);
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
