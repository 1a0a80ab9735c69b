package dev.tidemark.benchmarks.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Key.key;

import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbNativeUpdate;
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
