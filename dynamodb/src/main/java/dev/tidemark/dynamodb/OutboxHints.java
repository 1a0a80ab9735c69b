package dev.tidemark.dynamodb;

import dev.tidemark.EntityKey;
import dev.tidemark.kernel.Outbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

/**
 * Tells by a stream's records which items have something to send. An image after the change tells
 * it; where the stream has none, every item counts that was written.
 *
 * @param outbox of the stream's table
 * @param hints takes the shard of the outbox and the key
 */
record OutboxHints(DynamoDbOutbox outbox, DynamoDbOutboxStream.Hints hints) {
  /** No record has this shard. */
  private static final int NONE = -1;

  /** Gives hints, and says how many. One that is dropped costs time and nothing else. */
  int of(List<Record> records) {
    int told = 0;
    for (Record record : records) {
      StreamRecord change = record.dynamodb();
      int shard =
          change == null || record.eventName() == OperationType.REMOVE ? NONE : shard(change);
      if (shard != NONE) {
        boolean unused = hints.hint(shard, outbox.key(change.keys()));
        told++;
      }
    }
    return told;
  }

  private int shard(StreamRecord change) {
    if (change.hasNewImage() && !change.newImage().isEmpty()) {
      return outbox.items().shardOfDue(change.newImage(), outbox.clock().millis());
    }
    List<Object> parts = new ArrayList<>();
    for (String attribute : outbox.keyAttributes()) {
      AttributeValue value = change.keys().get(attribute);
      Object part = value == null ? null : Values.toNeutral(value);
      if (part == null) {
        return NONE; // another table's
      }
      parts.add(part);
    }
    return Outbox.shard(new EntityKey(parts, Map.of()), outbox.shards());
  }
}
