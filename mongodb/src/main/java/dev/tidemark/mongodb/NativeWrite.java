package dev.tidemark.mongodb;

import dev.tidemark.Key;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A native update, checked and rendered.
 *
 * @param operators the caller's own
 * @param filter the caller's own; null if there is none
 * @param arrayFilters which elements the operators mean
 */
record NativeWrite(
    BsonDocument operators, @Nullable BsonDocument filter, List<BsonDocument> arrayFilters) {

  static NativeWrite of(Context<?> context, Key key, MongoNativeUpdate update) {
    return new NativeWrite(
        NativeCheck.operators(update, key, context.mapping().properties(), context.registry()),
        update.filter() == null ? null : NativeCheck.document(update.filter(), context.registry()),
        update.arrayFilters().stream()
            .map(filter -> NativeCheck.document(filter, context.registry()))
            .toList());
  }
}
