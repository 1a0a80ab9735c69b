package dev.tidemark;

import org.jspecify.annotations.Nullable;

/**
 * What the entity remembers cannot be read, or not by this tracking: a mark of another kind or
 * width, a stamp ahead of every clock. Or the entity itself cannot be mapped to its class: an
 * attribute is of another type, or one that the class cannot do without is missing; the message
 * names class and attribute. Nothing was written, and a retry meets the same; the record needs a
 * person.
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
