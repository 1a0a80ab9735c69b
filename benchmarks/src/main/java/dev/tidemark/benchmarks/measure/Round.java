package dev.tidemark.benchmarks.measure;

/**
 * What one technique did in one round.
 *
 * @param messages how many were applied
 * @param nanos how long that took
 * @param requests how many requests left
 * @param p50 the median time of a hand-over, in milliseconds
 * @param p99 the 99th percentile of that
 * @param clientCpu processor time of this process per message, in microseconds
 * @param serverCpu the same of the store's process
 */
public record Round(
    long messages,
    long nanos,
    long requests,
    double p50,
    double p99,
    double clientCpu,
    double serverCpu) {
  /**
   * The throughput.
   *
   * @return messages per second
   */
  public double messagesPerSecond() {
    return messages * 1e9 / nanos;
  }

  /**
   * How many processors this process and the store's kept busy.
   *
   * @return at most what the machine has
   */
  public double busyProcessors() {
    return messages * (clientCpu + serverCpu) * 1e3 / nanos;
  }
}
