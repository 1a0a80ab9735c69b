package dev.tidemark.lab.orders;

import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import org.jspecify.annotations.Nullable;

/**
 * The views of one consumer.
 *
 * @param store both of them
 * @param resumableOrNull the same for change streams; null without tracking
 * @param closing ends the connections
 */
record OpenViews(ViewStore store, @Nullable ResumableViews resumableOrNull, Runnable closing)
    implements AutoCloseable {
  /** For contrast: both views without Tidemark. */
  static OpenViews contrast(
      EntityStore<OrderView> orders, EntityStore<SpendingView> spending, Runnable closing) {
    OrderQueries none =
        (consumerId, filter, limit, pageToken) -> {
          throw new IllegalStateException("nobody asks these views");
        };
    return contrast(new ViewStore(orders, spending, none), closing);
  }

  /** Both views, not for a change stream. */
  static OpenViews contrast(ViewStore views, Runnable closing) {
    return new OpenViews(views, null, closing);
  }

  /** The views for a change stream. */
  ResumableViews resumable() {
    if (resumableOrNull == null) {
      throw new IllegalStateException(
          "views without tracking do not know how far a stream was read");
    }
    return resumableOrNull;
  }

  @Override
  public void close() {
    closing.run();
  }
}
