package dev.tidemark.lab.outbox;

/**
 * How hard a run is.
 *
 * @param messages how many are published
 * @param kills how many relays die by SIGKILL, in the cases in which they do
 * @param downSeconds for how long the broker is away, in the case in which it is
 * @param seed chooses what is published
 */
record Settings(int messages, int kills, int downSeconds, long seed) {
  Settings {
    if (messages < 1 || kills < 0 || downSeconds < 0) {
      throw new IllegalArgumentException(
          "messages must be 1 or more, kills and downSeconds not negative, were %d, %d and %d"
              .formatted(messages, kills, downSeconds));
    }
  }

  int entities() {
    return Math.max(4, Math.min(200, messages / 20));
  }
}
