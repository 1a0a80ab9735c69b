package dev.tidemark.mongodb;

import dev.tidemark.kernel.Found;
import java.util.List;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a key found.
 *
 * @param found the record, as the kernel judges it
 * @param document the document as far as it was read; empty if there is none
 * @param accepts whether the marks let a blind write pass
 * @param condition whether the caller's condition is true
 * @param unmet the first requirement of shape that is not met; null if all are
 * @param sources how many sources have marks; -1 where the message's source is one of them
 * @param nulls where an explicit null stands among the marks that were read, as dotted paths
 */
record MongoStored<T>(
    Found<T> found,
    BsonDocument document,
    boolean accepts,
    boolean condition,
    @Nullable String unmet,
    int sources,
    List<String> nulls) {

  /** A look that met no null. */
  MongoStored(
      Found<T> found,
      BsonDocument document,
      boolean accepts,
      boolean condition,
      @Nullable String unmet,
      int sources) {
    this(found, document, accepts, condition, unmet, sources, List.of());
  }

  static <T> MongoStored<T> nothing() {
    return new MongoStored<>(Found.nothing(), new BsonDocument(), false, false, null, 0);
  }

  /** Whether a blind write passed over this. */
  boolean wasApplied() {
    return accepts && condition && unmet == null;
  }

  MongoStored<T> whereConditionIs(boolean truth) {
    return new MongoStored<>(found, document, accepts, truth, unmet, sources, nulls);
  }
}
