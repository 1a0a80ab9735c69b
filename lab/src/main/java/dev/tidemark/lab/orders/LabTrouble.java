package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Stands between the carrier and the views, and makes trouble when it is told to: with the next
 * batch. For any number of threads.
 */
final class LabTrouble {
  private static final Duration SLOW = Duration.ofMillis(1_500);

  private final TcpProxy store;
  private final LabTwin twin;
  private final AtomicBoolean kill = new AtomicBoolean();
  private final AtomicBoolean drop = new AtomicBoolean();
  private final AtomicBoolean slow = new AtomicBoolean();
  private final AtomicInteger killed = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();

  LabTrouble(TcpProxy store, LabTwin twin) {
    this.store = store;
    this.twin = twin;
  }

  /** Ends the carrier after the views were written and before that is committed. */
  static final class Killed extends VirtualMachineError {
    private static final long serialVersionUID = 1L;
  }

  Function<List<Delivery>, BatchOutcome<?>> around(
      Function<List<Delivery>, BatchOutcome<?>> handler) {
    return batch -> {
      if (drop.compareAndSet(true, false)) {
        dropped.incrementAndGet();
        store.dropNextReply();
      }
      if (slow.compareAndSet(true, false)) {
        pause();
      }
      BatchOutcome<?> outcome = handler.apply(batch);
      twin.apply(batch);
      if (kill.compareAndSet(true, false)) {
        killed.incrementAndGet();
        throw new Killed();
      }
      return outcome;
    };
  }

  private static void pause() {
    try {
      Thread.sleep(SLOW.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the carrier is to end
    }
  }

  void slowNext() {
    slow.set(true);
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
}
