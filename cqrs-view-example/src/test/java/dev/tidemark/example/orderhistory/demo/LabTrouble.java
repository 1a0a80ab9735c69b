package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Stands between the carrier and the views, and makes trouble when it is told to: with the next
 * batch. For any number of threads.
 */
final class LabTrouble {
  private final TcpProxy store;
  private final AtomicBoolean kill = new AtomicBoolean();
  private final AtomicBoolean drop = new AtomicBoolean();
  private final AtomicInteger killed = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();
  private final AtomicInteger deliveries = new AtomicInteger();

  LabTrouble(TcpProxy store) {
    this.store = store;
  }

  /** Ends the carrier after the views were written and before that is committed. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  Function<List<Delivery>, BatchOutcome<?>> around(
      Function<List<Delivery>, BatchOutcome<?>> handler) {
    return batch -> {
      deliveries.addAndGet(batch.size());
      if (drop.compareAndSet(true, false)) {
        dropped.incrementAndGet();
        store.dropNextReply();
      }
      BatchOutcome<?> outcome = handler.apply(batch);
      if (kill.compareAndSet(true, false)) {
        killed.incrementAndGet();
        throw new Killed();
      }
      return outcome;
    };
  }

  void killNext() {
    kill.set(true);
  }

  void dropNext() {
    drop.set(true);
  }

  int killed() {
    return killed.get();
  }

  int dropped() {
    return dropped.get();
  }

  int deliveries() {
    return deliveries.get();
  }
}
