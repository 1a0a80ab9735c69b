package dev.tidemark.execution;

/**
 * An execution has no result to return: it is {@code InProgress}, {@code KeyReused}, {@code
 * Failed}, {@code InDoubt}, {@code LostOwnership} or {@code NotStarted}. {@link
 * Execution#orElseThrow} throws it, and so do methods that are {@link Idempotent}.
 */
public final class NotExecutedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Execution<?> execution;

  NotExecutedException(Execution<?> execution) {
    super("no result under the key: " + execution);
    this.execution = execution;
  }

  /**
   * What came of the call.
   *
   * @return neither Executed nor Replayed; null after serialization
   */
  public Execution<?> execution() {
    return execution;
  }
}
