package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;

/** For contrast: both views kept by handlers that trust every event to come once. */
record UntrackedViews(EntityStore<OrderView> orders, EntityStore<SpendingView> spending)
    implements ViewStore {

  @Override
  public OrderQueries queries() {
    throw new UnsupportedOperationException("nobody asks an untracked view");
  }
}
