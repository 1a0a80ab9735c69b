package dev.tidemark.benchmarks.mongodb;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.ne;
import static com.mongodb.client.model.Filters.not;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.result.UpdateResult;
import dev.tidemark.benchmarks.measure.Event;
import org.bson.Document;
import org.bson.conversions.Bson;

/** What a careful person writes without a library: the same change with a filter of one's own. */
public final class ByHand {
  private final MongoCollection<Document> orders;

  /**
   * Writes by hand.
   *
   * @param orders the entities
   */
  public ByHand(MongoCollection<Document> orders) {
    this.orders = orders;
  }

  /** The change alone. */
  static Bson change(Event event) {
    return combine(set("status", event.status()), inc("total", Event.AMOUNT));
  }

  static Bson id(Event event) {
    return eq("_id", event.entity());
  }

  boolean unguarded(Event event) {
    return isApplied(orders.updateOne(id(event), change(event)));
  }

  /**
   * A change under a high-water mark.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean highWater(Event event) {
    Bson guard = and(id(event), not(gte("lastPosition", event.position())));
    Bson change =
        combine(
            set("status", event.status()),
            inc("total", Event.AMOUNT),
            set("lastPosition", event.position()));
    return isApplied(orders.updateOne(guard, change));
  }

  /** A change that remembers the message's id in the entity. */
  boolean rememberingIds(Event event) {
    Bson guard = and(id(event), ne("messageIds", event.id()));
    Bson change =
        combine(
            set("status", event.status()),
            inc("total", Event.AMOUNT),
            push("messageIds", event.id()));
    return isApplied(orders.updateOne(guard, change));
  }

  private static boolean isApplied(UpdateResult result) {
    return result.getMatchedCount() == 1;
  }
}
