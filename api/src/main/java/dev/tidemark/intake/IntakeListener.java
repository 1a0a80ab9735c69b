package dev.tidemark.intake;

/**
 * Is told what an intake took: for logs, metrics and alarms. What it throws ends the batch, so that
 * nothing of it is acknowledged.
 */
@FunctionalInterface
public interface IntakeListener {
  /**
   * Takes note of a batch, before the carrier is told.
   *
   * @param taken what became of its messages
   */
  void taken(Taken<?> taken);
}
