package dev.tidemark.lab.storm;

/**
 * How hard a storm is.
 *
 * @param deliveries how many there are in each store, or a few more
 * @param seed chooses events, disorder, twins, and when replies are lost
 * @param rounds how often what is not done is delivered again in vain, before that is given up
 */
public record Settings(long deliveries, long seed, int rounds) {
  /** Workers that bring deliveries at the same time. */
  public static final int WORKERS = 8;

  private static final int WAVES = 10;
  private static final int DELIVERIES_OF_A_LEDGER = 60;

  /** Checks the numbers. */
  public Settings {
    if (deliveries < 1) {
      throw new IllegalArgumentException("deliveries must be 1 or more, was " + deliveries);
    }
    if (rounds < 0) {
      throw new IllegalArgumentException("rounds must be 0 or more, was " + rounds);
    }
  }

  /** So many that there are about ten waves. */
  int ledgers() {
    return Math.toIntExact(Math.max(WORKERS, deliveries / WAVES / DELIVERIES_OF_A_LEDGER));
  }
}
