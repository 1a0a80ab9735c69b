package dev.tidemark.mongodb;

import dev.tidemark.EntityUpdate;
import dev.tidemark.Key;
import dev.tidemark.Rules;
import dev.tidemark.kernel.OwnUpdate;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A native update, checked and rendered.
 *
 * @param operators the caller's own
 * @param filter the caller's own; null if there is none
 * @param arrayFilters which elements the operators mean
 * @param rules what it does apart from the operators
 */
record NativeWrite(
    BsonDocument operators,
    @Nullable BsonDocument filter,
    List<BsonDocument> arrayFilters,
    Rules rules)
    implements OwnUpdate {

  /**
   * Checks and renders an update.
   *
   * @throws IllegalArgumentException if it is not for MongoDB, or touches what it must not
   */
  static NativeWrite of(Context<?> context, Key key, EntityUpdate given) {
    MongoNativeUpdate update = given.in(MongoNativeUpdate.class);
    return new NativeWrite(
        NativeCheck.operators(update, key, context.mapping().properties(), context.registry()),
        update.filter() == null ? null : NativeCheck.document(update.filter(), context.registry()),
        update.arrayFilters().stream()
            .map(filter -> NativeCheck.document(filter, context.registry()))
            .toList(),
        update.rules());
  }

  @Override
  public boolean hasRule() {
    return filter != null;
  }

  @Override
  public boolean recordsOnly() {
    return false;
  }
}
