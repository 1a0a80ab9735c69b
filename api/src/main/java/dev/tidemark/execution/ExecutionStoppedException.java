package dev.tidemark.execution;

/**
 * A run must not go on: another owner took its key over, or a step is in doubt and waits for a
 * person. {@link Steps} throw it so that the work stops at once. {@link Executions#run} answers
 * {@link Execution.LostOwnership} or {@link Execution.InDoubt}, whatever the work makes of it.
 */
public final class ExecutionStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ExecutionStoppedException(String message) {
    super(message);
  }
}
