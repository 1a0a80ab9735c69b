package dev.tidemark.example.orderhistory.store;

import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.SpendingView;

/** How sums remember events, for both stores. */
final class SpendingTracking {
  private SpendingTracking() {}

  /**
   * An event that is older than what a sum remembers passes without being counted, since it may
   * have been counted before; a rebuild, which gets every event for the first time, counts it.
   */
  static Tracking of(boolean rebuilding) {
    Tracking tracking = Tracking.of(SpendingView.class);
    return rebuilding ? tracking.rebuilding() : tracking.acknowledgingBeyondHorizon();
  }
}
