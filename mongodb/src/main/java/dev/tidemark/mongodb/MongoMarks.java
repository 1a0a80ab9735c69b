package dev.tidemark.mongodb;

import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.kernel.Names;
import dev.tidemark.marks.Marks;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Makes the filters by which users' own writes of whole documents keep the {@link Marks}. Safe for
 * use by many threads.
 *
 * <pre>{@code
 * collection.replaceOne(and(eq("_id", view.id()), MongoMarks.unchanged(view.marks())), changed);
 * }</pre>
 */
public final class MongoMarks {
  /** No mark, or an explicit null in its place. */
  private static final BsonValue MISSING = BsonNull.VALUE;

  private MongoMarks() {}

  /**
   * The condition that no tracked write came since an entity was read, to be combined with the
   * filter on its key. A whole-document write without this filter is a lost update. The codec gives
   * every such write a fresh revision, so read the entity again before the next one.
   *
   * <p>The filter matches no tombstone, be it the one that was read: a write of the whole document
   * brings nothing back, since it would keep the tombstone's expiry. {@code change().recreate()} of
   * a store does.
   *
   * <p>The filter also asks that the document has no other marks than these, so that nothing is
   * erased that a projection left out. It cannot ask for what another subscriber keeps: a
   * projection must not leave out {@code messageIDs@…} or {@code events@…} alone.
   *
   * @param marks what the entity carried when it was read
   * @return a filter on the revision and the marks
   * @throws IllegalArgumentException if the marks are null or partial
   */
  public static Bson unchanged(@Nullable Marks marks) {
    return unchanged(marks, AttributeNames.defaults());
  }

  /**
   * The same for a collection with other attribute names.
   *
   * @param marks what the entity carried when it was read
   * @param names the collection's names
   * @return a filter on the revision and the marks
   * @throws IllegalArgumentException if the marks are null or partial
   */
  public static Bson unchanged(@Nullable Marks marks, AttributeNames names) {
    if (marks == null || !marks.isWhole()) {
      throw new IllegalArgumentException(
          "the marks are "
              + (marks == null ? "null" : "partial, of a projection")
              + "; read the whole document");
    }
    BsonDocument filter =
        new BsonDocument(names.revision(), MISSING).append(names.tombstone(), MISSING);
    Map<String, Object> attributes = new LinkedHashMap<>(marks.attributes());
    Object revision = attributes.remove(names.revision());
    if (revision == null) { // nothing tracked was there
      return filter;
    }
    filter.put(names.revision(), new BsonDocument("$eq", Values.mark(revision)));
    attributes.forEach(
        (name, value) -> only(Values.mark(value)).ifPresent(o -> filter.put(name, o)));
    for (String name : MarkFields.all(Names.nested(Tracking.defaults().names(names)))) {
      if (!attributes.containsKey(name)) {
        filter.putIfAbsent(name, MISSING);
      }
    }
    return filter;
  }

  /** Asks that no element and no member is there beside those that were read. */
  private static Optional<BsonDocument> only(BsonValue value) {
    return value.isArray()
        ? Optional.of(new BsonDocument("$size", new BsonInt32(value.asArray().size())))
        : value.isDocument() ? Optional.of(new BsonDocument("$eq", value)) : Optional.empty();
  }
}
