package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.example.orderhistory.ViewStore;

/**
 * The views of one consumer.
 *
 * @param store both of them
 * @param closing ends the connections
 */
record OpenViews(ViewStore store, Runnable closing) implements AutoCloseable {
  @Override
  public void close() {
    closing.run();
  }
}
