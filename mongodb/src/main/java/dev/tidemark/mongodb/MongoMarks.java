package dev.tidemark.mongodb;

import dev.tidemark.AttributeNames;
import dev.tidemark.Marks;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/**
 * What users' own writes of whole documents need of {@link Marks}. Safe for use by many threads.
 *
 * <pre>{@code
 * collection.replaceOne(and(eq("_id", view.id()), MongoMarks.unchanged(view.marks())), changed);
 * }</pre>
 */
public final class MongoMarks {
  private MongoMarks() {}

  /**
   * The condition that no tracked write came since an entity was read, to be combined with the
   * filter on its key. A whole-document write without this filter is a lost update. The codec gives
   * every such write a fresh revision, so read the entity again before the next one.
   *
   * @param marks what the entity carried when it was read
   * @return a filter on the revision
   */
  public static Bson unchanged(Marks marks) {
    return unchanged(marks, AttributeNames.defaults());
  }

  /**
   * The same for a collection with other attribute names.
   *
   * @param marks what the entity carried when it was read
   * @param names the collection's names
   * @return a filter on the revision
   */
  public static Bson unchanged(Marks marks, AttributeNames names) {
    Object revision = marks.attributes().get(names.revision());
    return revision == null
        ? new BsonDocument(names.revision(), new BsonDocument("$exists", BsonBoolean.FALSE))
        : new BsonDocument(names.revision(), MongoValues.mark(revision));
  }
}
