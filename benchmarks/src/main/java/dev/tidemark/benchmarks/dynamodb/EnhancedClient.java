package dev.tidemark.benchmarks.dynamodb;

import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.dynamodb.Processing;
import dev.tidemark.dynamodb.TidemarkExtension;
import java.util.function.Supplier;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Existing code on the Enhanced Client, without and with Tidemark's extension. Its {@code
 * updateItem} knows no increments, so the handler sets the total that follows from the event.
 */
public final class EnhancedClient {
  private final DynamoDbTable<Order> plain;
  private final DynamoDbTable<ProcessedOrder> tracked;

  /**
   * Existing code.
   *
   * @param client a client
   */
  public EnhancedClient(DynamoDbClient client) {
    DynamoDbEnhancedClient without =
        DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
    DynamoDbEnhancedClient with =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(TidemarkExtension.create())
            .build();
    this.plain = without.table(Tables.ORDERS, TableSchema.fromBean(Order.class));
    this.tracked = with.table(Tables.ORDERS, TableSchema.fromBean(ProcessedOrder.class));
  }

  /**
   * The change alone.
   *
   * @param event the message
   * @return true
   */
  public boolean unguarded(Event event) {
    Order order = order(event, Order::new);
    plain.updateItem(request -> request.item(order).ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY));
    return true;
  }

  /**
   * The change under a high-water mark.
   *
   * @param event the message
   * @return whether it was applied
   */
  public boolean tracked(Event event) {
    ProcessedOrder order = order(event, ProcessedOrder::new);
    order.setProcessing(Processing.of(WithTidemark.source(event)));
    try {
      tracked.updateItem(
          request -> request.item(order).ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY));
      return true;
    } catch (ConditionalCheckFailedException refused) {
      return false;
    }
  }

  private static <T extends Order> T order(Event event, Supplier<T> empty) {
    T order = empty.get();
    order.setId(event.entity());
    order.setStatus(event.status());
    order.setTotal(event.position() * Event.AMOUNT);
    return order;
  }
}
