package dev.tidemark.lab.orders;

import java.time.Duration;
import java.util.List;

/**
 * What came of one cell.
 *
 * @param tally of all its consumers, in whatever process
 * @param dead how many different dead letters there are
 * @param wrong rows of both views
 * @param problems what else is not as promised; empty if all is well
 * @param note what was done to it
 */
record CellResult(
    Cell cell,
    Tally tally,
    int dead,
    List<Truth.Wrong> wrong,
    List<String> problems,
    String note,
    Duration took) {

  /** One whose servers or views could not be had. */
  static CellResult notRun(Cell cell, RuntimeException fault) {
    return new CellResult(
        cell, new Tally(), 0, List.of(), List.of("not run: " + fault), "nothing", Duration.ZERO);
  }

  boolean holds() {
    return wrong.isEmpty() && problems.isEmpty();
  }

  /** One line that says it all; without a fault it has outcomes in its place. */
  String line() {
    String middle =
        cell.fault() == Fault.NONE
            ? String.format(
                "deliveries=%d applied=%d duplicate=%d stale=%d other=%d",
                tally.deliveries(),
                tally.applied(),
                tally.duplicate(),
                tally.stale(),
                tally.others())
            : String.format("fault=%s deliveries=%d", cell.fault().label(), tally.deliveries());
    return String.format(
        "carrier=%s store=%s %s dead=%d wrong=%d",
        cell.carrier(), cell.store(), middle, dead, wrong.size());
  }

  static String tableHead() {
    return String.format(
        "%-13s %-8s %-16s %10s %8s %9s %6s %5s %5s %7s  %s",
        "carrier",
        "store",
        "fault",
        "deliveries",
        "applied",
        "duplicate",
        "other",
        "dead",
        "wrong",
        "seconds",
        "what was done");
  }

  String tableRow() {
    return String.format(
        "%-13s %-8s %-16s %,10d %,8d %,9d %,6d %,5d %,5d %7.1f  %s",
        cell.carrier(),
        cell.store(),
        cell.fault().label(),
        tally.deliveries(),
        tally.applied(),
        tally.duplicate(),
        tally.stale() + tally.others(),
        dead,
        wrong.size(),
        took.toMillis() / 1000.0,
        note);
  }
}
