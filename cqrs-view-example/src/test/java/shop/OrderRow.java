// snippet: start-mongodb-entity
package shop;

import dev.tidemark.EventPolicy;
import dev.tidemark.Events;
import dev.tidemark.Tracked;
import org.bson.codecs.pojo.annotations.BsonId;

@Tracked(events = @Events(EventPolicy.Kind.CONTIGUOUS)) // every event once, in order
public record OrderRow(@BsonId String id, String status, long total) {}
// end
