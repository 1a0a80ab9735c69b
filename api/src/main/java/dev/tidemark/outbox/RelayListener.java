package dev.tidemark.outbox;

import dev.tidemark.metrics.Ongoing;

/**
 * A listener that is told what a relay does: for metrics, logs and alarms. {@link
 * RelayBuilder#listener} sets it.
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
   * Follows one pass from its beginning on, with what the sender does in it.
   *
   * @param records the name of the table or collection
   * @return is told of the pass in place of this listener; {@link #passed} unless overridden
   */
  default Ongoing<RelayPass> passing(String records) {
    return this::passed;
  }

  /**
   * Follows one call of the sender, which may take as long as the broker lets it wait.
   *
   * @param found what the pass has counted up to this call
   * @return ends once the sender has answered or thrown, on the same thread; does nothing unless
   *     overridden
   */
  default Ongoing.Scope sending(RelayPass found) {
    return Ongoing.Scope.NONE;
  }

  /**
   * Tells another listener too, whatever this one throws.
   *
   * @param other is told after this one
   * @return both
   */
  default RelayListener and(RelayListener other) {
    RelayListener first = this;
    return new RelayListener() {
      @Override
      public void passed(RelayPass pass) {
        try {
          first.passed(pass);
        } finally {
          other.passed(pass);
        }
      }

      @Override
      public Ongoing<RelayPass> passing(String records) {
        return Ongoing.both(() -> first.passing(records), () -> other.passing(records));
      }

      @Override
      public Ongoing.Scope sending(RelayPass found) {
        return Ongoing.Scope.both(() -> first.sending(found), () -> other.sending(found));
      }
    };
  }
}
