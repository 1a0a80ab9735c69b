package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Key;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.FoldedFunctions;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Stored;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under a key, as far as it was read.
 *
 * @param context the store
 * @param key the key
 * @param found the record, as the kernel judges it
 * @param document the fields; empty if there is none, null if they were not read
 * @param isPartial whether marks of other sources were left out
 * @param passes whether the rule of the request that was refused is true; null if it was not asked
 * @param nulls where an explicit null stands for a mark, as dotted paths
 */
record StoredDocument<T>(
    Context<T> context,
    Key key,
    Found<T> found,
    @Nullable BsonDocument document,
    boolean isPartial,
    @Nullable Boolean passes,
    List<String> nulls)
    implements Stored<T> {

  /** What was read whole. */
  StoredDocument(
      Context<T> context, Key key, Found<T> found, BsonDocument document, List<String> nulls) {
    this(context, key, found, document, false, null, nulls);
  }

  static <T> StoredDocument<T> nothing(Context<T> context, Key key) {
    return new StoredDocument<>(context, key, Found.nothing(), new BsonDocument(), List.of());
  }

  /** The same, where the caller's own filter was tried too. */
  StoredDocument<T> where(boolean matches) {
    return new StoredDocument<>(context, key, found, document, isPartial, matches, nulls);
  }

  /** The fields of what was read whole. */
  BsonDocument read() {
    return Objects.requireNonNull(document);
  }

  @Override
  public FoldedFunctions<T> functions() {
    boolean deleted = found.marks().containsKey(context.names().tombstone());
    BsonDocument live = document == null || deleted ? new BsonDocument() : document;
    return new Functions<>(context.mapping(), key, context.keys().document(key), live);
  }

  /** An absent or deleted entity is an empty one to a rule. */
  @Override
  public @Nullable Boolean refusesRuleOf(Request<T> refused) {
    Boolean told = passes;
    if (found.state(context.names(), refused.marking().now()) != Found.State.LIVE) {
      return isFalse(refused, new BsonDocument());
    }
    if (told != null) {
      return !told;
    }
    boolean own = refused.effect() instanceof Effect.Own;
    return (document == null || own) ? null : isFalse(refused, document);
  }

  private boolean isFalse(Request<T> refused, BsonDocument entity) {
    Change change =
        refused.effect() instanceof Effect.Changes<T> changes ? changes.change() : Change.change();
    Condition rule = change.condition().orElse(Condition.always());
    return !new ReadRule(entity, context.registry()).isTrue(rule);
  }
}
