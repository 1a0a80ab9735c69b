package dev.tidemark.mongodb;

import dev.tidemark.Message;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Names;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** The marks that concern one message, by plain inclusion, which costs a server next to nothing. */
final class RawMarks {
  private static final BsonInt32 INCLUDED = new BsonInt32(1);

  private RawMarks() {}

  /** Fields of a projection; of a message ID without its slots. */
  static BsonDocument projection(Message message, Names names) {
    BsonDocument projection = new BsonDocument("_id", new BsonInt32(0));
    for (String name : List.of(names.revision(), names.birth(), names.tombstone())) {
      projection.append(name, INCLUDED);
    }
    if (message instanceof SourceEvent event) {
      projection.append(names.full(), INCLUDED);
      for (String mark : names.marks(event.source())) {
        projection.append(FieldNames.dotted(names.path(mark)), INCLUDED);
      }
      return projection;
    }
    return projection.append(names.since(), INCLUDED).append(names.closed(), INCLUDED);
  }
}
