package dev.tidemark.tck;

import java.util.LinkedHashMap;
import java.util.Map;

/** What contracts measured in one suite. For one thread. */
public final class Report {
  private final Map<String, Backend.Cost> costs = new LinkedHashMap<>();

  Report() {}

  /**
   * Notes a cost, to be printed and compared with the page of costs.
   *
   * @param what operation and outcome
   * @param cost what it took
   */
  public void cost(String what, Backend.Cost cost) {
    costs.put(what, cost);
  }

  Map<String, Backend.Cost> costs() {
    return costs;
  }
}
