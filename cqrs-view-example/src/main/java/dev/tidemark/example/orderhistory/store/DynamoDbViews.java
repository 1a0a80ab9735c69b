package dev.tidemark.example.orderhistory.store;

import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.metrics.StoreListener;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** One generation of both views in DynamoDB. */
final class DynamoDbViews {
  private DynamoDbViews() {}

  static ViewStore of(
      DynamoDbClient client,
      DynamoDbTables tables,
      int generation,
      boolean rebuilding,
      @Nullable StoreListener listener) {
    DynamoDbEnhancedClient enhanced =
        DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
    DynamoDbTable<OrderView> history =
        enhanced.table(tables.orderHistory(generation), DynamoDbRows.ORDERS);
    DynamoDbTable<SpendingView> sums =
        enhanced.table(tables.consumerSpending(generation), DynamoDbRows.SPENDING);
    return new ViewStore(
        store(client, history, Tracking.of(OrderView.class), listener),
        store(client, sums, SpendingTracking.of(rebuilding), listener),
        new DynamoDbQueries(history.index(OrderView.BY_CONSUMER)));
  }

  static DynamoDbTable<BoardView> board(DynamoDbClient client, DynamoDbTables tables) {
    return DynamoDbEnhancedClient.builder()
        .dynamoDbClient(client)
        .build()
        .table(tables.restaurantBoard(), DynamoDbRows.BOARD);
  }

  static <T> EntityStore<T> store(
      DynamoDbClient client,
      DynamoDbTable<T> table,
      Tracking tracking,
      @Nullable StoreListener listener) {
    var builder = DynamoDbEntityStore.builder(client, table).tracking(tracking);
    return (listener == null ? builder : builder.listener(listener)).build();
  }
}
