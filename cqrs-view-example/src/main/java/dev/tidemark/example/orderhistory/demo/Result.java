package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.Outcome;
import java.time.Duration;
import java.util.List;

/** What came of one run. */
record Result(String store, boolean tracking, Tally tally, List<Truth.Wrong> wrong, Duration took) {

  /** Tracked views are all right, and untracked ones are not. */
  boolean asPromised() {
    return wrong.isEmpty() == tracking;
  }

  String line() {
    return String.format(
        "store=%s tracking=%s deliveries=%d applied=%d duplicate=%d stale=%d wrong=%d",
        store,
        onOrOff(),
        tally.deliveries(),
        tally.of(Outcome.Applied.class),
        tally.of(Outcome.Duplicate.class),
        tally.of(Outcome.Stale.class),
        wrong.size());
  }

  String example(Truth.Wrong wrong) {
    return String.format(
        "For example, on %s with tracking %s, %s: %s",
        store, onOrOff(), wrong.orderId(), wrong.difference());
  }

  static String tableHead() {
    return String.format(
        "%-9s %-8s %10s %8s %9s %6s %6s %12s %8s",
        "store",
        "tracking",
        "deliveries",
        "applied",
        "duplicate",
        "stale",
        "other",
        "wrong views",
        "seconds");
  }

  String tableRow() {
    return String.format(
        "%-9s %-8s %,10d %,8d %,9d %,6d %,6d %,12d %8.1f",
        store,
        onOrOff(),
        tally.deliveries(),
        tally.of(Outcome.Applied.class),
        tally.of(Outcome.Duplicate.class),
        tally.of(Outcome.Stale.class),
        tally.others(),
        wrong.size(),
        took.toMillis() / 1000.0);
  }

  private String onOrOff() {
    return tracking ? "on" : "off";
  }
}
