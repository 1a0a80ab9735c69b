package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.Outcome;
import java.util.Map;
import java.util.TreeMap;

/** Counts the deliveries of one run by their outcomes. For any number of threads. */
final class Tally {
  private final Map<String, Long> counts = new TreeMap<>();
  private long deliveries;

  /** Counts a delivery; tells how many there were, this one included. */
  synchronized long count(Outcome<?> outcome) {
    counts.merge(outcome.getClass().getSimpleName(), 1L, Long::sum);
    return ++deliveries;
  }

  synchronized long deliveries() {
    return deliveries;
  }

  synchronized long of(Class<?> outcome) {
    return counts.getOrDefault(outcome.getSimpleName(), 0L);
  }

  /** Deliveries that were neither applied nor recognised. */
  synchronized long others() {
    return deliveries
        - of(Outcome.Applied.class)
        - of(Outcome.Duplicate.class)
        - of(Outcome.Stale.class);
  }
}
