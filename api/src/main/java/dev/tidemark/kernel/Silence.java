package dev.tidemark.kernel;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Tells when the log has to say that something fails: of trouble that is new at once, and of
 * trouble that goes on after one minute, two, four, and so on to an hour. Trouble is new if there
 * was no error for as long as the log was to be silent. For any number of threads.
 */
public final class Silence {
  private static final long SHORTEST = Duration.ofMinutes(1).toNanos();
  private static final long LONGEST = Duration.ofHours(1).toNanos();

  private final LongSupplier nanos;

  /** For how long nothing is said after the last line; 0 before the first. */
  private long silence;

  private long lastLine;
  private long lastError;

  /** How many errors there were since the last line. */
  private long unsaid;

  /**
   * A log that has said nothing yet.
   *
   * @param nanos a clock, as of {@link System#nanoTime}
   */
  public Silence(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Counts an error.
   *
   * @return how many others nothing was said of since the last line, if a line is due now
   */
  public synchronized OptionalLong error() {
    long now = nanos.getAsLong();
    boolean isNew = silence == 0 || now - lastError >= silence;
    lastError = now;
    if (!isNew && now - lastLine < silence) {
      unsaid++;
      return OptionalLong.empty();
    }
    long before = isNew ? 0 : unsaid;
    silence = isNew ? SHORTEST : Math.min(2 * silence, LONGEST);
    lastLine = now;
    unsaid = 0;
    return OptionalLong.of(before);
  }
}
