package dev.tidemark.example.orderhistory.host;

/** The store did not answer, or not in time. Its cause may quote values; its message does not. */
final class StoreUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoreUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
