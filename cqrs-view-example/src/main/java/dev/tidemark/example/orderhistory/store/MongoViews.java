package dev.tidemark.example.orderhistory.store;

import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.MongoClientSettings;
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
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.jspecify.annotations.Nullable;

/** One generation of both views in MongoDB. */
final class MongoViews {
  private MongoViews() {}

  /** Maps rows by their public fields, and what lists in them hold by the components of records. */
  static CodecRegistry codecs() {
    return fromRegistries(
        MongoClientSettings.getDefaultCodecRegistry(),
        fromProviders(PojoCodecProvider.builder().automatic(true).build()));
  }

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
