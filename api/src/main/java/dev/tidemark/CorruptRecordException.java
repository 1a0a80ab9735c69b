package dev.tidemark;

import org.jspecify.annotations.Nullable;

/**
 * The stored record cannot be read. Either its marks cannot be read, or not by this tracking: a
 * mark is of another kind or width, or a time stamp is ahead of every clock. Or the entity cannot
 * be mapped to its class: an attribute is of another type, or an attribute that the class needs is
 * missing; the message names the class and the attribute. Nothing was written, and a retry would
 * fail in the same way; a person has to correct the record.
 */
public final class CorruptRecordException extends TidemarkException {
  private static final long serialVersionUID = 1L;

  /**
   * For backends.
   *
   * @param message names attributes and positions, never values or keys
   * @param key the entity's key
   * @param cause the store's own exception, if there is one
   */
  public CorruptRecordException(
      String message, @Nullable EntityKey key, @Nullable Throwable cause) {
    super(message, key, cause);
  }
}
