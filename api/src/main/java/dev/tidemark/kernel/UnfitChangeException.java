package dev.tidemark.kernel;

/**
 * A change does not fit the class of its entity, which a store sees before it sends anything: to
 * callers an {@link IllegalArgumentException} as any other. Its text is Tidemark's own, and so may
 * stand in logs.
 */
public final class UnfitChangeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * For backends.
   *
   * @param message names classes, attributes and types, never values or keys
   */
  public UnfitChangeException(String message) {
    super(message);
  }

  /**
   * With a cause, whose text stands in no reason.
   *
   * @param message names classes, attributes and types, never values or keys
   * @param cause any
   */
  public UnfitChangeException(String message, Throwable cause) {
    super(message, cause);
  }
}
