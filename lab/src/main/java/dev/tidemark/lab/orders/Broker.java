package dev.tidemark.lab.orders;

import java.time.Duration;

/** What messages come from, with room for the feeds of many runs. */
interface Broker extends AutoCloseable {
  /**
   * An empty feed that nobody else has.
   *
   * @param carrier which kind
   * @param name the run's
   * @param patience for how long a message that was received stays with its consumer, where there
   *     is such a thing
   */
  Feed feed(String carrier, String name, Duration patience);

  /** Stops it and starts it again, with what it had stored. */
  void restart();

  @Override
  void close();
}
