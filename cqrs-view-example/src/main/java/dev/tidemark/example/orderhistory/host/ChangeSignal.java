package dev.tidemark.example.orderhistory.host;

import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what this process applied, so that live updates need not wait for their turn. What other
 * processes applied they see by looking. For any number of threads.
 */
final class ChangeSignal implements StoreListener {
  private final AtomicLong applied = new AtomicLong();

  @Override
  public void ended(StoreCall call) {
    applied.addAndGet(call.outcomes().getOrDefault("Applied", 0));
  }

  long count() {
    return applied.get();
  }
}
