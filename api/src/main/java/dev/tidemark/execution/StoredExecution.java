package dev.tidemark.execution;

import dev.tidemark.execution.ExecutionRecord.State;
import java.time.Instant;
import java.util.Optional;

/**
 * How far an execution is, for operators. It has neither request nor result.
 *
 * @param key the idempotency key
 * @param state how far it is
 * @param doubt the step that began and left no result, if there is one
 * @param leaseEnd when its owner's lease ends, while somebody is at work
 * @param expires when it is forgotten; empty if that is unknown
 */
public record StoredExecution(
    String key,
    State state,
    Optional<String> doubt,
    Optional<Instant> leaseEnd,
    Optional<Instant> expires) {
  static StoredExecution of(String key, ExecutionRecord record) {
    return new StoredExecution(
        key,
        record.state(),
        Owner.doubtful(record),
        Optional.of(record.leaseEnd()).filter(end -> end > 0).map(Instant::ofEpochMilli),
        Optional.of(record.expires()).filter(end -> end > 0).map(Instant::ofEpochSecond));
  }

  /** Tells how far it is, and not the key. */
  @Override
  public String toString() {
    return "StoredExecution[" + state + "]";
  }
}
