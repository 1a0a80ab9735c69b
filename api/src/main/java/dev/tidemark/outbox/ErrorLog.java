package dev.tidemark.outbox;

import dev.tidemark.kernel.Silence;
import java.util.function.LongSupplier;

/**
 * Says in the log that passes of a relay meet errors, as {@link Silence} has it. The text of an
 * error may quote what is stored, so a line has classes alone. For one thread at a time.
 */
final class ErrorLog {
  private static final int MOST_CAUSES = 4;

  private final System.Logger logger;
  private final Silence silence;

  ErrorLog(System.Logger logger, LongSupplier nanos) {
    this.logger = logger;
    this.silence = new Silence(nanos);
  }

  void note(RelayPass pass) {
    Throwable error = pass.error();
    if (error != null) {
      silence.error().ifPresent(before -> say(pass, error, before));
    }
  }

  private void say(RelayPass pass, Throwable error, long before) {
    logger.log(
        System.Logger.Level.WARNING,
        "The relay of {0} met an error: {1}. Since the last such line {2} other passes met one."
            + " {3} messages could not be sent by this pass. The relay tries again, and gives each"
            + " error with its text to its RelayListener, as RelayPass.error()",
        pass.records(),
        classes(error),
        before,
        pass.failed());
  }

  private static String classes(Throwable error) {
    StringBuilder classes = new StringBuilder(error.getClass().getName());
    Throwable cause = error.getCause();
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      classes.append(", caused by ").append(cause.getClass().getName());
      cause = cause.getCause();
    }
    return classes.toString();
  }
}
