package dev.tidemark.example.orderhistory.host;

import java.time.Instant;
import java.util.List;

/** One attempt to carry: a carrier with the connections that were made for it. */
interface Carrier extends AutoCloseable {
  /** Carries until it is stopped, or throws. For one thread, once. */
  void run();

  /** Lets {@link #run} return once the batch in hand is done. For any thread. */
  void stop();

  /**
   * A lane that does not move on.
   *
   * @param name such as topic and partition
   * @param reason the outcome or fault of the delivery that holds it back, without values
   * @param since when that was
   */
  record PausedLane(String name, String reason, Instant since) {}

  /** The lanes that do not move on; none where the carrier has no lanes. */
  default List<PausedLane> paused() {
    return List.of();
  }

  /** Closes the connections. */
  @Override
  void close();
}
