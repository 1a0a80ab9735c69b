package dev.tidemark.lab.orders;

import dev.tidemark.metrics.StoreListener;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Counts deliveries by what became of them in the order history. For any number of threads. */
final class Tally {
  private final Map<String, Long> counts = new TreeMap<>();
  private long deliveries;
  private Duration work = Duration.ZERO;

  /** Tells what becomes of deliveries in the order history, call by call. */
  static StoreListener ofHistory(Consumer<Map<String, Long>> counts) {
    return call -> {
      if (call.store().contains("order-history")) {
        Map<String, Long> arms = new TreeMap<>();
        call.outcomes().forEach((arm, count) -> arms.merge(arm, (long) count, Long::sum));
        call.faults().forEach((fault, count) -> arms.merge("Failed", (long) count, Long::sum));
        if (call.heldBack() > 0) {
          arms.put("HeldBack", (long) call.heldBack());
        }
        counts.accept(arms);
      }
    };
  }

  /** Counts more; tells how many deliveries there were, these included. */
  synchronized long add(Map<String, Long> more) {
    more.forEach((arm, count) -> counts.merge(arm, count, Long::sum));
    deliveries += more.values().stream().mapToLong(Long::longValue).sum();
    return deliveries;
  }

  /** Takes note of how long a handler had a batch in hand. */
  synchronized void worked(Duration more) {
    work = work.plus(more);
  }

  /** For how long handlers had batches in hand, all of them together. */
  synchronized Duration work() {
    return work;
  }

  synchronized long deliveries() {
    return deliveries;
  }

  synchronized long applied() {
    return count("Applied");
  }

  synchronized long duplicate() {
    return count("Duplicate");
  }

  synchronized long stale() {
    return count("Stale");
  }

  /** Deliveries that were neither applied nor recognised. */
  synchronized long others() {
    return deliveries - applied() - duplicate() - stale();
  }

  private long count(String arm) {
    return counts.getOrDefault(arm, 0L);
  }
}
