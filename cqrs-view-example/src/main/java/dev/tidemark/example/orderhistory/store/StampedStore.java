package dev.tidemark.example.orderhistory.store;

import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;

/** Views whose rows are {@link StampedOrders}. */
record StampedStore(ViewStore views, String token) implements ViewStore {
  @Override
  public EntityStore<OrderView> orders() {
    return new StampedOrders(views.orders(), token);
  }

  @Override
  public EntityStore<SpendingView> spending() {
    return views.spending();
  }

  @Override
  public OrderQueries queries() {
    return views.queries();
  }
}
