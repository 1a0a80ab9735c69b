package dev.tidemark.benchmarks.measure;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests and billed units. Safe for use by many threads. */
public final class Meter {
  private final LongAdder requests = new LongAdder();
  private final DoubleAdder units = new DoubleAdder();

  /** Counts a request that leaves for the store, also if it is a repeated one. */
  public void request() {
    requests.increment();
  }

  /**
   * Counts billed units.
   *
   * @param more what a reply says
   */
  public void units(double more) {
    units.add(more);
  }

  /**
   * Requests so far.
   *
   * @return their number
   */
  public long requests() {
    return requests.sum();
  }

  /**
   * Units so far.
   *
   * @return their sum; 0 where the store bills none or was not asked
   */
  public double units() {
    return units.sum();
  }
}
