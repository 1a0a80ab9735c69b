package dev.tidemark.benchmarks.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static dev.tidemark.benchmarks.measure.OneByOne.guarded;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.benchmarks.measure.Batched;
import dev.tidemark.benchmarks.measure.Caches;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.measure.Polled;
import dev.tidemark.benchmarks.measure.Shape;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoNativeUpdate;
import java.util.List;
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

  static SourceEvent source(Event event) {
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
    return orders.update(source(event), key(event.entity()), portableChange(event)).isApplied();
  }

  /**
   * A portable update that remembers the message's id.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean portableUpdateById(Event event) {
    return orders
        .update(MessageId.of(event.id()), key(event.entity()), portableChange(event))
        .isApplied();
  }

  /**
   * Batches of updates that fold.
   *
   * @param name what it is called
   * @param shape how many messages, of how many entities
   * @return the technique
   */
  Technique batches(String name, Shape shape) {
    return new Batched<>(
        name,
        shape,
        orders,
        event -> Write.update(source(event), key(event.entity()), portableChange(event)));
  }

  /**
   * Batches of functions, of ten entities at a time.
   *
   * @param size messages of each entity in a batch
   * @return the technique
   */
  Technique batchesOfFunctions(int size) {
    return new Batched<>(
        "Tidemark apply, batches of " + size,
        Shape.perEntityOfTen(size),
        orders,
        event -> Write.apply(source(event), key(event.entity()), order -> after(order, event)));
  }

  private static Document after(Document order, Event event) {
    long total = order.get("total") instanceof Number number ? number.longValue() : 0;
    return order.append("total", total + Event.AMOUNT).append("status", event.status());
  }

  /** What a consumer of Kafka polls, by each kind of handler. */
  List<Technique> polled() {
    return List.of(
        Polled.of(
            "Tidemark native, polls of 500",
            orders,
            projector ->
                projector.updating(
                    Event.class,
                    event -> key(event.entity()),
                    event -> MongoNativeUpdate.of(ByHand.change(event)))),
        Polled.of(
            "Tidemark portable, polls of 500",
            orders,
            projector ->
                projector.updating(
                    Event.class, event -> key(event.entity()), WithTidemark::portableChange)),
        Polled.of(
            "Tidemark apply, polls of 500",
            orders,
            projector ->
                projector.on(Event.class, event -> key(event.entity()), WithTidemark::after)));
  }

  private static Change portableChange(Event event) {
    return change().set("status", event.status()).add("total", Event.AMOUNT);
  }

  /** Functions one by one on a store with a cache of marks. */
  static Technique cached(MongoCollection<Document> collection) {
    EntityStore<Document> orders =
        MongoEntityStore.builder(collection).markCache(MarkCache.in(Caches.of(10_000))).build();
    return guarded(
        "Tidemark apply, mark cache",
        event ->
            orders
                .apply(source(event), key(event.entity()), order -> after(order, event))
                .isApplied());
  }
}
