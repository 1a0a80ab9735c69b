package dev.tidemark.outbox;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Says in the log that passes of a relay meet errors: of trouble that is new at once, and of
 * trouble that goes on after one minute, two, four, and so on to an hour. Trouble is new if there
 * was no error for as long as the log was to be silent. The text of an error may quote what is
 * stored, so a line has classes alone. For one thread at a time.
 */
final class ErrorLog {
  private static final long SHORTEST = Duration.ofMinutes(1).toNanos();
  private static final long LONGEST = Duration.ofHours(1).toNanos();
  private static final int MOST_CAUSES = 4;

  private final System.Logger logger;
  private final LongSupplier nanos;

  /** For how long nothing is said after the last line; 0 before the first. */
  private long silence;

  private long lastLine;
  private long lastError;

  /** How many passes met an error since the last line. */
  private long unsaid;

  ErrorLog(System.Logger logger, LongSupplier nanos) {
    this.logger = logger;
    this.nanos = nanos;
  }

  void note(RelayPass pass) {
    Throwable error = pass.error();
    if (error == null) {
      return;
    }
    long now = nanos.getAsLong();
    boolean isNew = silence == 0 || now - lastError >= silence;
    lastError = now;
    if (isNew || now - lastLine >= silence) {
      say(pass, error, isNew ? 0 : unsaid);
      silence = isNew ? SHORTEST : Math.min(2 * silence, LONGEST);
      lastLine = now;
      unsaid = 0;
    } else {
      unsaid++;
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
