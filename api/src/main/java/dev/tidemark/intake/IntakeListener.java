package dev.tidemark.intake;

import java.time.Duration;

/**
 * A listener that is told of each batch that an intake took: for logs, metrics and alarms. An
 * exception of the listener ends the batch, so that no message of the batch is acknowledged.
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
   * The default listener of an intake, which counts in the log the messages that are not done, by
   * reason ({@link System.Logger}, {@code dev.tidemark.intake.Intake}, warning). Dead letters have
   * a line for each batch that has some; messages that come again have at most one line a minute.
   * Whatever the listener is, that logger gets the stack trace of each failure at the level debug;
   * the text of a failure may quote the message.
   *
   * @return a listener for one intake
   */
  static IntakeListener log() {
    return new IntakeLog(IntakeBuilder.QUIET, System::nanoTime);
  }

  /**
   * As {@link #log}, with a line for each batch of which anything is not done: for functions, which
   * may be frozen or ended before a minute is over. The batches of {@code tidemark-lambda} have it
   * by default.
   *
   * @return a listener for one intake
   */
  static IntakeListener logEachBatch() {
    return new IntakeLog(Duration.ZERO, System::nanoTime);
  }
}
