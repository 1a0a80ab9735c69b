package dev.tidemark.outbox;

/**
 * How often the first message of a record could not be sent. It is stored as one number, whose
 * lower 32 bits are all of its tries: versions that know of nothing else read these alone, and
 * leave none that counts.
 *
 * @param all how often it could not be sent
 * @param counted how many of these count against it, since others were sent meanwhile
 */
record Tries(int all, int counted) {
  /** More than any message has; what is stored may be anything. */
  private static final int MOST = 1 << 20;

  /** What a stored number means. */
  static Tries of(long stored) {
    int all = Math.min(Math.max(0, (int) stored), MOST);
    return new Tries(all, (int) Math.min(Math.max(0, stored >> 32), all));
  }

  /** As it is stored. */
  long stored() {
    return (long) counted << 32 | all;
  }

  /** With one more. */
  Tries andOne(boolean counts) {
    return new Tries(all + 1, counts ? counted + 1 : counted);
  }
}
