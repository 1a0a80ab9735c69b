package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.carrier.Carrier;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;

/**
 * One attempt to carry: a carrier with the connections that were made for it.
 *
 * @param carrier runs once
 * @param lanes those that do not move on; asked for by any thread
 * @param closing closes the connections
 */
record OpenCarrier(Carrier carrier, Supplier<List<PausedLane>> lanes, Runnable closing)
    implements AutoCloseable {
  /**
   * A lane that does not move on.
   *
   * @param name such as topic and partition
   * @param reason the outcome or fault of the delivery that holds it back, without values
   * @param since when that was
   */
  record PausedLane(String name, String reason, Instant since) {}

  @Override
  public void close() {
    closing.run();
  }
}
