package dev.tidemark.example.readme;

import dev.tidemark.EventPolicy;
import dev.tidemark.Events;
import dev.tidemark.MessageIds;
import dev.tidemark.Tracked;
import java.util.List;
import org.bson.codecs.pojo.annotations.BsonId;

/** The record of docs/mongodb.md. */
// snippet: mongodb-record
@Tracked(
    messageIds = @MessageIds(last = 100),
    events = @Events(type = "Order", value = EventPolicy.Kind.CONTIGUOUS))
public record OrderRow(@BsonId String id, String status, long total, List<String> history) {
  OrderRow paid(long fee) {
    return new OrderRow(id, "PAID", total + fee, history);
  }
}
// end
