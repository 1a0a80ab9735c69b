package dev.tidemark.benchmarks.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Key.key;

import com.mongodb.client.MongoCollection;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.mongodb.MongoEntityStore;
import org.bson.Document;

/** The same change through Tidemark's store. */
public final class WithTidemark {
  private final MongoEntityStore<Document> orders;

  /**
   * Writes by a store.
   *
   * @param orders the entities
   */
  public WithTidemark(MongoCollection<Document> orders) {
    this.orders = MongoEntityStore.of(orders);
  }

  private static SourceEvent source(Event event) {
    return SourceEvent.of(Event.TYPE, event.entity(), event.position());
  }

  /**
   * A native update under a high-water mark.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean nativeUpdate(Event event) {
    return orders.update(source(event), key(event.entity()), ByHand.change(event)).isApplied();
  }

  /**
   * A portable update under a high-water mark.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean portableUpdate(Event event) {
    return orders
        .update(
            source(event),
            key(event.entity()),
            change().set("status", event.status()).add("total", Event.AMOUNT))
        .isApplied();
  }

  /**
   * A portable update that remembers the message's id.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean portableUpdateById(Event event) {
    return orders
        .update(
            MessageId.of(event.id()),
            key(event.entity()),
            change().set("status", event.status()).add("total", Event.AMOUNT))
        .isApplied();
  }
}
