package dev.tidemark.outbox;

/**
 * When a message is tried again, and when it is parked.
 *
 * @param first how long the first pause is, in milliseconds; each is twice as long as the one
 *     before
 * @param longest how long the longest pause is, in milliseconds
 * @param most after how many tries a message is parked
 */
record Retries(long first, long longest, int most) {
  /** How many times more a message is tried while its destination takes nothing else. */
  static final int PATIENCE = 10;

  static final Retries DEFAULT = new Retries(1_000, 60_000, 10);

  /** The pause after so many tries, in milliseconds. */
  long pause(int tries) {
    long doubled = first << Math.min(tries - 1, 30);
    return doubled <= 0 || doubled > longest ? longest : doubled;
  }

  /** Whether a message that could not be sent so often is parked. */
  boolean isOver(Tries tries) {
    return tries.counted() >= most || tries.all() - tries.counted() >= most * PATIENCE;
  }
}
