package dev.tidemark.benchmarks.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static dev.tidemark.benchmarks.measure.OneByOne.guarded;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.benchmarks.measure.Batched;
import dev.tidemark.benchmarks.measure.Caches;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.measure.Polled;
import dev.tidemark.benchmarks.measure.Shape;
import dev.tidemark.benchmarks.measure.Technique;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbNativeUpdate;
import dev.tidemark.marks.MarkCache;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The same change through Tidemark's store. */
public final class WithTidemark {
  private final DynamoDbEntityStore<Order> orders;

  /**
   * Writes by a store.
   *
   * @param client a client
   */
  public WithTidemark(DynamoDbClient client) {
    this.orders = DynamoDbEntityStore.of(client, Tables.ORDERS, TableSchema.fromBean(Order.class));
  }

  static SourceEvent source(Event event) {
    return SourceEvent.of(Event.TYPE, event.entity(), event.position());
  }

  static DynamoDbNativeUpdate nativeChange(Event event) {
    return DynamoDbNativeUpdate.of("SET #status = :status ADD #total :amount")
        .name("#status", "status")
        .name("#total", "total")
        .value(":status", event.status())
        .value(":amount", Event.AMOUNT);
  }

  /**
   * A native update under a high-water mark.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean nativeUpdate(Event event) {
    return orders.update(source(event), key(event.entity()), nativeChange(event)).isApplied();
  }

  /**
   * The same, with the entity as it is afterwards.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean nativeReturning(Event event) {
    Outcome<Order> outcome =
        orders.update(source(event), key(event.entity()), nativeChange(event).returning());
    return outcome.isApplied() && outcome.entity().isPresent();
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
   * @param size messages of one entity in a batch
   * @return the technique
   */
  Technique batches(int size) {
    return new Batched<>(
        "Tidemark, batches of " + size,
        Shape.perEntity(size),
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

  private static Order after(Order order, Event event) {
    Long total = order.getTotal();
    order.setTotal((total == null ? 0 : total) + Event.AMOUNT);
    order.setStatus(event.status());
    return order;
  }

  /** What a consumer of Kafka polls, by each kind of handler. */
  List<Technique> polled() {
    return List.of(
        Polled.of(
            "Tidemark native, polls of 500",
            orders,
            projector ->
                projector.updating(
                    Event.class, event -> key(event.entity()), event -> nativeChange(event))),
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
  static Technique cached(DynamoDbClient client) {
    EntityStore<Order> orders =
        DynamoDbEntityStore.builder(client, Tables.ORDERS, TableSchema.fromBean(Order.class))
            .markCache(MarkCache.in(Caches.of(10_000)))
            .build();
    return guarded(
        "Tidemark apply, mark cache",
        event ->
            orders
                .apply(source(event), key(event.entity()), order -> after(order, event))
                .isApplied());
  }
}
