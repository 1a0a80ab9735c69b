package dev.tidemark.execution;

import java.time.Duration;

/**
 * What happened in a call for a key. It knows neither keys nor requests or results. A call that
 * does the work has two events, the claim and the end; any other has one. Later versions may add
 * components.
 *
 * @param kind what happened
 * @param scope of the executions
 * @param elapsed since the call began, with all waits
 */
public record ExecutionEvent(Kind kind, String scope, Duration elapsed) {
  /** What may happen. */
  public enum Kind {
    /** A key was claimed, and the work begins. */
    CLAIMED,
    /** A key was claimed whose owner went silent, and the work begins. */
    TAKEN_OVER,
    /** The work is done, and its result is stored. */
    COMPLETED,
    /** The work failed for good, and that is stored. */
    FAILED,
    /** The work threw, and the key is free again. */
    RELEASED,
    /** The key waits for a person from now on. */
    PARKED,
    /** Another owner took the key over while the work ran. */
    LOST,
    /** A result was replayed. */
    REPLAYED,
    /** A failure was replayed. */
    FAILURE_REPLAYED,
    /** Somebody else is at work. */
    IN_PROGRESS,
    /** The key was waiting for a person. */
    IN_DOUBT,
    /** The key came with another request. */
    KEY_REUSED,
    /** No time was left for the work. */
    NOT_STARTED,
    /**
     * The call ended in an error of the store or of the library: before the work nothing is done,
     * after it the key is in progress until the lease ends.
     */
    FAULT;

    /** What the end of the work comes to. */
    static Kind end(Execution<?> answer) {
      if (answer instanceof Execution.Executed) {
        return COMPLETED;
      }
      if (answer instanceof Execution.Failed) {
        return FAILED;
      }
      if (answer instanceof Execution.InDoubt) {
        return PARKED;
      }
      return answer instanceof Execution.LostOwnership ? LOST : REPLAYED;
    }

    /** What an answer by the record comes to. */
    static Kind told(Execution<?> answer) {
      if (answer instanceof Execution.Failed) {
        return FAILURE_REPLAYED;
      }
      if (answer instanceof Execution.InDoubt) {
        return IN_DOUBT;
      }
      return answer instanceof Execution.KeyReused ? KEY_REUSED : REPLAYED;
    }

    /** What a call that threw has left. */
    static Kind left(StoredExecution.State state) {
      return switch (state) {
        case RELEASED -> RELEASED;
        case PARKED -> PARKED;
        case RUNNING, DONE, FAILED -> FAULT;
      };
    }
  }
}
