package dev.tidemark.lab.checkout;

/**
 * How hard a run is.
 *
 * @param keys how many checkouts
 * @param kills how many processes die
 * @param seed chooses duplicates, and where processes die
 */
record Settings(int keys, int kills, long seed) {
  /** Clients that ask at the same time. */
  static final int CLIENTS = 24;

  Settings {
    if (keys < 1) {
      throw new IllegalArgumentException("keys must be 1 or more, was " + keys);
    }
    if (kills < 0 || kills > keys) {
      throw new IllegalArgumentException("kills must be 0 to " + keys + ", was " + kills);
    }
  }
}
