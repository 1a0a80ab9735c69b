package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.UpdateDescription;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * The events of a change stream that say that a document has messages now: its shard of the index
 * was set, to one that the relay knows. A document that had some already is in a relay's hands, and
 * tells no more of them.
 */
final class OutboxEvents {
  /** After which a stream of a collection has nothing more to say. */
  private static final Set<String> ENDS = Set.of("drop", "rename", "dropDatabase", "invalidate");

  private static final BsonInt32 INCLUDED = new BsonInt32(1);

  private final OutboxFields fields;

  OutboxEvents(OutboxFields fields) {
    this.fields = fields;
  }

  /** Lets these events through, and of them the keys and shards alone. */
  List<BsonDocument> pipeline() {
    String updated = "updateDescription.updatedFields." + fields.shard();
    String whole = "fullDocument." + fields.shard();
    BsonDocument waiting =
        op("$gte", new BsonInt64(0)).append("$lt", new BsonInt64(fields.shards()));
    BsonArray ends = new BsonArray();
    ENDS.forEach(end -> ends.add(new BsonString(end)));
    BsonArray any =
        new BsonArray(
            List.of(
                new BsonDocument(updated, waiting),
                new BsonDocument(whole, waiting),
                new BsonDocument("operationType", op("$in", ends))));
    BsonDocument told =
        new BsonDocument("operationType", INCLUDED)
            .append("documentKey", INCLUDED)
            .append("wallTime", INCLUDED)
            .append(updated, INCLUDED)
            .append(whole, INCLUDED);
    return List.of(op("$match", op("$or", any)), op("$project", told));
  }

  /** Whether an event is the last one of a stream. */
  static boolean ends(ChangeStreamDocument<BsonDocument> event) {
    return "invalidate".equals(event.getOperationTypeString());
  }

  /** The key of the document; null if the event is of none. */
  @Nullable OutboxKey key(ChangeStreamDocument<BsonDocument> event) {
    BsonDocument key = event.getDocumentKey();
    return key == null ? null : fields.key(key).bare();
  }

  /** The shard of the document. */
  int shard(ChangeStreamDocument<BsonDocument> event) {
    UpdateDescription update = event.getUpdateDescription();
    BsonDocument updated = update == null ? null : update.getUpdatedFields();
    return fields.shardOf(
        updated == null ? Objects.requireNonNull(event.getFullDocument()) : updated);
  }
}
