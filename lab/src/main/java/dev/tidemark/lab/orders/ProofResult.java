package dev.tidemark.lab.orders;

import java.util.Comparator;
import java.util.List;

/**
 * What came of one run of the {@link Proof}.
 *
 * @param requests what the clients sent for the views, repeats included
 */
record ProofResult(
    String store, Technique technique, Tally tally, List<Truth.Wrong> wrong, long requests) {

  /** The run of a technique on a store whose time is in the middle of all. */
  static ProofResult median(List<ProofResult> results, String store, Technique technique) {
    List<ProofResult> sorted =
        results.stream()
            .filter(result -> result.store.equals(store) && result.technique == technique)
            .sorted(Comparator.comparing(ProofResult::seconds))
            .toList();
    return sorted.get(sorted.size() / 2);
  }

  /** How the median times of a store compare. */
  static String compared(List<ProofResult> results, String store) {
    double on = median(results, store, Technique.ON).seconds();
    return String.format(
        "On %s tracking took %.2f of the time of a guard by hand, and %.2f of that without any.",
        store,
        on / median(results, store, Technique.HAND_WRITTEN).seconds(),
        on / median(results, store, Technique.OFF).seconds());
  }

  /** Rows under a guard are all right, and others are not. */
  boolean asPromised() {
    return wrong.isEmpty() == technique.isGuarded();
  }

  /**
   * How long handlers had batches in hand: what Kafka takes to share out partitions is not in it.
   */
  private double seconds() {
    return tally.work().toMillis() / 1000.0;
  }

  String line() {
    return String.format(
        "store=%s tracking=%s deliveries=%d applied=%d duplicate=%d stale=%d requests=%d"
            + " seconds=%.1f wrong=%d",
        store,
        technique.label(),
        tally.deliveries(),
        tally.applied(),
        tally.duplicate(),
        tally.stale(),
        requests,
        seconds(),
        wrong.size());
  }

  String example(Truth.Wrong wrong) {
    return String.format(
        "For example, on %s with tracking %s, the %s: %s",
        store, technique.label(), wrong.row(), wrong.difference());
  }

  static String tableHead() {
    return String.format(
        "%-9s %-12s %10s %8s %9s %6s %6s %9s %8s %11s",
        "store",
        "tracking",
        "deliveries",
        "applied",
        "duplicate",
        "stale",
        "other",
        "requests",
        "seconds",
        "wrong rows");
  }

  String tableRow() {
    return String.format(
        "%-9s %-12s %,10d %,8d %,9d %,6d %,6d %,9d %8.1f %,11d",
        store,
        technique.label(),
        tally.deliveries(),
        tally.applied(),
        tally.duplicate(),
        tally.stale(),
        tally.others(),
        requests,
        seconds(),
        wrong.size());
  }
}
