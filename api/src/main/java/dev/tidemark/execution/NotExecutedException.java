package dev.tidemark.execution;

/**
 * A method that is {@link Idempotent} has no result to return: its execution is {@code InProgress},
 * {@code KeyReused}, {@code Failed}, {@code InDoubt} or {@code LostOwnership}.
 */
public final class NotExecutedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Execution<?> execution;

  NotExecutedException(Execution<?> execution) {
    super("the method has no result under its key: " + execution.getClass().getSimpleName());
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
