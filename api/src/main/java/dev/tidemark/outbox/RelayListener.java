package dev.tidemark.outbox;

/**
 * Is told what a relay does: for metrics, logs and alarms. {@link RelayBuilder#listener} takes it.
 *
 * <p>It is told on the relay's thread, so it must not block. What it throws is logged once for a
 * relay, and stops nothing.
 */
@FunctionalInterface
public interface RelayListener {
  /**
   * Takes note of a pass. A relay at rest makes one for every interval.
   *
   * @param pass what was done; never keys or payloads
   */
  void passed(RelayPass pass);

  /**
   * Tells another listener too, whatever this one throws.
   *
   * @param other is told after this one
   * @return both
   */
  default RelayListener and(RelayListener other) {
    return pass -> {
      try {
        passed(pass);
      } finally {
        other.passed(pass);
      }
    };
  }
}
