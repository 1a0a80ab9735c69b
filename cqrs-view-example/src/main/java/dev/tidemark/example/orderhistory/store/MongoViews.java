package dev.tidemark.example.orderhistory.store;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.mongodb.MongoEntityStore;
import org.jspecify.annotations.Nullable;

/** One generation of both views in MongoDB. */
final class MongoViews {
  private MongoViews() {}

  static ViewStore of(
      MongoDatabase database,
      int generation,
      boolean rebuilding,
      @Nullable StoreListener listener) {
    MongoCollection<OrderView> orders = orders(database, generation);
    return new ViewStore(
        store(orders, Tracking.of(OrderView.class), listener),
        store(spending(database, generation), SpendingTracking.of(rebuilding), listener),
        new MongoQueries(orders));
  }

  static MongoCollection<OrderView> orders(MongoDatabase database, int generation) {
    return database.getCollection("order-history-" + generation, OrderView.class);
  }

  static MongoCollection<SpendingView> spending(MongoDatabase database, int generation) {
    return database.getCollection("consumer-spending-" + generation, SpendingView.class);
  }

  static MongoCollection<BoardView> board(MongoDatabase database) {
    return database.getCollection("restaurant-board", BoardView.class);
  }

  static <T> EntityStore<T> store(
      MongoCollection<T> collection, Tracking tracking, @Nullable StoreListener listener) {
    var builder = MongoEntityStore.builder(collection).tracking(tracking);
    return (listener == null ? builder : builder.listener(listener)).build();
  }
}
