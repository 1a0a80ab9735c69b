package dev.tidemark.lab.orders;

import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;

/**
 * The views of one consumer.
 *
 * @param store both of them
 * @param closing ends the connections
 */
record OpenViews(ViewStore store, Runnable closing) implements AutoCloseable {
  /** For contrast: both views without Tidemark. */
  static OpenViews contrast(
      EntityStore<OrderView> orders, EntityStore<SpendingView> spending, Runnable closing) {
    OrderQueries none =
        (consumerId, filter, limit, pageToken) -> {
          throw new IllegalStateException("nobody asks these views");
        };
    return new OpenViews(new ViewStore(orders, spending, none), closing);
  }

  @Override
  public void close() {
    closing.run();
  }
}
