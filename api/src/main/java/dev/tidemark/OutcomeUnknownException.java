package dev.tidemark;

import org.jspecify.annotations.Nullable;

/**
 * An attempt of this call ended without an answer (connection lost, timeout, server error), and
 * what is stored now does not tell whether it was applied. Deliver the message again: the answer is
 * then {@link Outcome.Duplicate} if it was, {@link Outcome.Applied} if it was not. Where late
 * events are dropped and a later one of the source came in between, it is {@link Outcome.Stale} in
 * both cases. If no connection was made, the request was never sent, and nothing is unknown: the
 * call then throws the exception of the store's own client.
 */
public final class OutcomeUnknownException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /**
   * For backends.
   *
   * @param message names attributes and positions, never values or keys
   * @param key the entity's key
   * @param cause the store's own exception, if there is one
   */
  public OutcomeUnknownException(
      String message, @Nullable EntityKey key, @Nullable Throwable cause) {
    super(message, key, cause);
  }
}
