package dev.tidemark.inbox;

import org.jspecify.annotations.Nullable;

/**
 * The caller's code that handles one message of an inbox, with writes by the store's own means.
 *
 * @param <W> where it writes
 * @param <R> what it returns
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface Handler<W, R, X extends Exception> {
  /**
   * Handles the message. It may run for a message that is a duplicate, or run again where others
   * came in between: what it does beside its writes must do no harm twice.
   *
   * @param writes takes the writes, or makes them
   * @return what the caller wants to know; not stored. A future or a publisher is refused, and
   *     nothing is written: it says that work has begun, and not that it is done
   * @throws X as it likes; nothing is written then
   */
  @Nullable R handle(W writes) throws X;
}
