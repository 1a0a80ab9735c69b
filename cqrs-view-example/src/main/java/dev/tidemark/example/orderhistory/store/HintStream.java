package dev.tidemark.example.orderhistory.store;

/**
 * A stream of the store that tells a relay at once which rows have published, so that it need not
 * wait for its next look. What becomes of the stream costs time, and no message. For one thread.
 */
public interface HintStream extends AutoCloseable {
  /** Waits a moment for what comes, and tells the relay. An interrupt ends it early. */
  void poll();

  @Override
  void close();
}
