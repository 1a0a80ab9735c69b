package dev.tidemark.execution;

import dev.tidemark.MessageId;
import dev.tidemark.execution.Completion.Made;
import java.time.Duration;
import java.util.Optional;

/**
 * How the work of a key ends, and what knows that it has.
 *
 * @param <V> what the work gives
 * @param <R> the result
 */
sealed interface Ending<V, R> {
  /**
   * The point of a record whose work ends in a write elsewhere, which may have been made; its value
   * is the message of that write. Steps cannot have its name.
   */
  String BY_WRITE = "!completion";

  /** The type by which a result is stored. */
  Class<R> type();

  /** The result, where something else than the record knows it, by the message of the write. */
  Optional<R> told(MessageId message);

  /** Whether something else than the record may know the result. */
  boolean isByWrite();

  /** For how long something else than the record knows the result; 0 if not at all, or for ever. */
  Duration toldFor();

  /** Ends the work with what it gave. */
  Execution<R> end(Owner owner, V value);

  /** By the owner's last write, which stores the result. */
  record ByRecord<R>(Class<R> type) implements Ending<R, R> {
    @Override
    public Optional<R> told(MessageId message) {
      return Optional.empty();
    }

    @Override
    public boolean isByWrite() {
      return false;
    }

    @Override
    public Duration toldFor() {
      return Duration.ZERO;
    }

    @Override
    public Execution<R> end(Owner owner, R value) {
      owner.complete(type, value);
      return new Execution.Executed<>(value);
    }
  }

  /** By a write that the work ended in, and that tells of itself. */
  record ByWrite<R>(Class<R> type, Completion<?, R> completion)
      implements Ending<Optional<Made<R>>, R> {
    /** What is stored where the write was refused. */
    private static final String REFUSED = "refused";

    @Override
    public Optional<R> told(MessageId message) {
      return completion.find(message);
    }

    @Override
    public boolean isByWrite() {
      return true;
    }

    @Override
    public Duration toldFor() {
      return completion.toldFor().orElse(Duration.ZERO);
    }

    @Override
    public Execution<R> end(Owner owner, Optional<Made<R>> made) {
      if (made.isEmpty()) {
        owner.fail(REFUSED);
        return new Execution.Failed<>(new StoredFailure(REFUSED), false);
      }
      R result = made.get().result();
      return made.get().before()
          ? new Execution.Replayed<>(result)
          : new Execution.Executed<>(result);
    }
  }
}
