package dev.tidemark.example.orderhistory.demo;

import java.time.Duration;
import java.util.List;

/** What came of one run of the {@link Proof}. */
record ProofResult(
    String store, boolean tracking, Tally tally, List<Truth.Wrong> wrong, Duration took) {

  /** Tracked rows are all right, and untracked ones are not. */
  boolean asPromised() {
    return wrong.isEmpty() == tracking;
  }

  String line() {
    return String.format(
        "store=%s tracking=%s deliveries=%d applied=%d duplicate=%d stale=%d wrong=%d",
        store,
        onOrOff(),
        tally.deliveries(),
        tally.applied(),
        tally.duplicate(),
        tally.stale(),
        wrong.size());
  }

  String example(Truth.Wrong wrong) {
    return String.format(
        "For example, on %s with tracking %s, the %s: %s",
        store, onOrOff(), wrong.row(), wrong.difference());
  }

  static String tableHead() {
    return String.format(
        "%-9s %-8s %10s %8s %9s %6s %6s %11s %8s",
        "store",
        "tracking",
        "deliveries",
        "applied",
        "duplicate",
        "stale",
        "other",
        "wrong rows",
        "seconds");
  }

  String tableRow() {
    return String.format(
        "%-9s %-8s %,10d %,8d %,9d %,6d %,6d %,11d %8.1f",
        store,
        onOrOff(),
        tally.deliveries(),
        tally.applied(),
        tally.duplicate(),
        tally.stale(),
        tally.others(),
        wrong.size(),
        took.toMillis() / 1000.0);
  }

  private String onOrOff() {
    return tracking ? "on" : "off";
  }
}
