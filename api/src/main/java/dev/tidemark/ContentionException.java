package dev.tidemark;

import org.jspecify.annotations.Nullable;

/**
 * The store was throttling, or other writers kept getting in between, longer than the call was
 * willing to retry; or the outgoing messages that wait in the entity leave no room for more until a
 * relay has sent some ({@link Tracking#outbox}). Nothing was written; deliver the message again
 * later.
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
