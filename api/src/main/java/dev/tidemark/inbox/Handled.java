package dev.tidemark.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of one message in an inbox.
 *
 * @param <R> what the handler returns
 */
public sealed interface Handled<R> {
  /**
   * The handler's writes and the record of the message are stored, by one transaction.
   *
   * @param value what the handler returned
   * @param <R> what the handler returns
   */
  record Applied<R>(@Nullable R value) implements Handled<R> {
    /** Leaves out the value. */
    @Override
    public String toString() {
      return "Applied[]";
    }
  }

  /**
   * The message is in the inbox. Nothing was written.
   *
   * @param <R> what the handler returns
   */
  record Duplicate<R>() implements Handled<R> {}

  /**
   * Somebody else has claimed the message, and is at work. Nothing was written.
   *
   * @param retryAfter how long until its lease ends
   * @param <R> what the handler returns
   */
  record InFlight<R>(Duration retryAfter) implements Handled<R> {}

  /**
   * A condition of the handler's own writes was false. Nothing was written, the record of the
   * message included.
   *
   * @param writes which of the handler's writes, counted from 0
   * @param <R> what the handler returns
   */
  record Refused<R>(List<Integer> writes) implements Handled<R> {
    /**
     * Copies the list.
     *
     * @param writes which of the handler's writes, counted from 0
     */
    public Refused {
      writes = List.copyOf(writes);
    }
  }

  /**
   * Whether the delivery may be acknowledged.
   *
   * @return true for Applied and Duplicate
   */
  default boolean isDone() {
    return this instanceof Applied || this instanceof Duplicate;
  }

  /**
   * What the handler returned.
   *
   * @return empty where its writes were not stored in this call, or where it returned null
   */
  default Optional<R> result() {
    return this instanceof Applied<R> applied
        ? Optional.ofNullable(applied.value())
        : Optional.empty();
  }
}
