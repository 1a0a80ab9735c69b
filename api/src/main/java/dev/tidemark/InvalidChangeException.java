package dev.tidemark;

import org.jspecify.annotations.Nullable;

/**
 * The stored entity does not have the shape that the change needs: the parent of a nested path is
 * missing, a number to add to is a string, a whole number would overflow. Or a rule of the store
 * refuses what the change would make: a unique index, a validator, the key of an index. Nothing was
 * written, and the message was not recorded.
 */
public final class InvalidChangeException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /**
   * For backends.
   *
   * @param message names attributes and positions, never values or keys
   * @param key the entity's key
   * @param cause the store's own exception, if there is one
   */
  public InvalidChangeException(
      String message, @Nullable EntityKey key, @Nullable Throwable cause) {
    super(message, key, cause);
  }
}
