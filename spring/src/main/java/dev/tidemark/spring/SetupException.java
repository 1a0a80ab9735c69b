package dev.tidemark.spring;

/** A setting that is missing, or that Tidemark cannot use; nothing was written. */
final class SetupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String action;

  SetupException(String description, String action) {
    super(description);
    this.action = action;
  }

  /** What to do about it. */
  String action() {
    return action;
  }

  @Override
  public String getMessage() {
    return super.getMessage() + " " + action;
  }

  /** What is wrong. */
  String description() {
    return String.valueOf(super.getMessage());
  }
}
