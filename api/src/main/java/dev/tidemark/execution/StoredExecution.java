package dev.tidemark.execution;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How far an execution is, for operators. It has neither request nor result.
 *
 * @param key the idempotency key
 * @param state how far it is
 * @param inDoubt the steps that began and left no result
 * @param leaseEnd when its owner's lease ends, or has ended; of what is released, when it was put
 *     behind what waits. Empty if there is no lease, or if its end is unknown
 * @param expires when it is forgotten; empty if that is unknown, or if it waits for a person
 * @param revision tells it from what the key becomes later
 */
public record StoredExecution(
    String key,
    State state,
    List<String> inDoubt,
    Optional<Instant> leaseEnd,
    Optional<Instant> expires,
    String revision) {
  /** How far an execution is. */
  public enum State {
    /** Somebody has claimed it, and may be at work. */
    RUNNING,
    /** Its last run ended without a result, and the next may begin at once. */
    RELEASED,
    /** It waits for a person. */
    PARKED,
    /** It has a result. */
    DONE,
    /** It failed for good. */
    FAILED
  }

  /**
   * Copies the steps.
   *
   * @param key the idempotency key
   * @param state how far it is
   * @param inDoubt the steps that began and left no result
   * @param leaseEnd when its owner's lease ends, or has ended
   * @param expires when it is forgotten; empty if that is unknown, or if it waits for a person
   * @param revision tells it from what the key becomes later
   */
  public StoredExecution {
    inDoubt = List.copyOf(inDoubt);
  }

  static StoredExecution of(String key, ExecutionRecord record) {
    return new StoredExecution(
        key,
        record.state(),
        record.inDoubt().toList(),
        Optional.of(record.leaseEnd()).filter(end -> end > 0).map(Instant::ofEpochMilli),
        Optional.of(record.expires())
            .filter(end -> end > 0 && record.state() != State.PARKED)
            .map(Instant::ofEpochSecond),
        record.revision());
  }

  /** Tells how far it is, and not the key. */
  @Override
  public String toString() {
    return "StoredExecution[" + state + "]";
  }
}
