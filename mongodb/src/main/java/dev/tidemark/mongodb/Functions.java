package dev.tidemark.mongodb;

import dev.tidemark.Decision;
import dev.tidemark.Key;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Write;
import dev.tidemark.kernel.FoldedFunctions;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** Functions over one document, one after the other. */
final class Functions<T> implements FoldedFunctions<T> {
  private final Mapping<T> mapping;
  private final Key key;
  private final BsonDocument id;
  private final BsonDocument stored;
  private BsonDocument before = new BsonDocument();
  private boolean begun;
  private @Nullable BsonDocument after;
  private @Nullable T entity;

  /**
   * Prepares functions.
   *
   * @param id the fields of the key
   * @param stored the whole document; empty where there is no live one
   */
  Functions(Mapping<T> mapping, Key key, BsonDocument id, BsonDocument stored) {
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
  public @Nullable T entity() {
    return entity;
  }

  /** What the functions changed of a document that is there. */
  List<Operation> difference() {
    List<Operation> operations = new ArrayList<>();
    BsonDocument made = after == null ? before : after;
    made.forEach(
        (name, value) -> {
          if (!id.containsKey(name) && !value.equals(before.get(name))) {
            operations.add(new Operation.Assign(Path.of(Properties.checkName(name)), value));
          }
        });
    before.forEach(
        (name, value) -> {
          if (!id.containsKey(name) && !made.containsKey(name)) {
            operations.add(new Operation.Remove(Path.of(Properties.checkName(name))));
          }
        });
    return operations;
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
