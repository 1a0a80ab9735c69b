package dev.tidemark;

import org.jspecify.annotations.Nullable;

/**
 * The store was throttling, or other writers kept getting in between, longer than the call was
 * willing to retry; or the outgoing messages that wait in the entity leave no room for more, by
 * their number ({@link Tracking#outbox}) or by the store's bound of a record's bytes, until a relay
 * has sent some. Nothing was written; deliver the message again later.
 */
public final class ContentionException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /**
   * For backends.
   *
   * @param message names attributes and positions, never values or keys
   * @param key the entity's key
   * @param cause the store's own exception, if there is one
   */
  public ContentionException(String message, @Nullable EntityKey key, @Nullable Throwable cause) {
    super(message, key, cause);
  }
}
