package dev.tidemark.lab.orders;

/** One consumer with the connections that were made for it. */
interface Carrying extends AutoCloseable {
  /** Begins to consume. */
  void start();

  /** Throws what ended it, if it ended by itself. */
  default void check() {}

  /** Lets it finish what it has in hand, and closes its connections. */
  @Override
  void close();
}
