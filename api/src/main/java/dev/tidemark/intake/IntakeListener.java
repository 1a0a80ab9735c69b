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

  /**
   * Tells another listener too, whatever this one throws.
   *
   * @param other is told after this one
   * @return both
   */
  default IntakeListener and(IntakeListener other) {
    return taken -> {
      try {
        taken(taken);
      } finally {
        other.taken(taken);
      }
    };
  }

  /**
   * What an intake has unless it is given another: counts what is not done in the log by its
   * reason, dead letters in a line for each batch that has some, and what comes again in at most
   * one line a minute ({@link System.Logger}, {@code dev.tidemark.intake.Intake}, warning).
   * Whatever the listener is, that logger gets the stack trace of each failure at the level debug,
   * whose text may quote the message.
   *
   * @return a listener for one intake
   */
  static IntakeListener log() {
    return new IntakeLog(System.getLogger(Intake.class.getName()), System::nanoTime);
  }
}
