package dev.tidemark;

import org.jspecify.annotations.Nullable;

/**
 * The entity, with this change and its marks, would exceed a limit of the store or of the tracking.
 * Nothing was written; delivering again does not help until the entity is made smaller.
 */
public final class TooLargeException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /**
   * For backends.
   *
   * @param message names attributes and positions, never values or keys
   * @param key the entity's key
   * @param cause the store's own exception, if there is one
   */
  public TooLargeException(String message, @Nullable EntityKey key, @Nullable Throwable cause) {
    super(message, key, cause);
  }
}
