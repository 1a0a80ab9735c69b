package dev.tidemark.example.orderhistory.host;

import org.springframework.http.HttpStatus;

/** The store did not answer, or not in time, or too many wait for it. */
final class StoreUnavailable extends Problem {
  private static final long serialVersionUID = 1L;

  StoreUnavailable(Throwable cause) {
    super(HttpStatus.SERVICE_UNAVAILABLE, "store-unavailable", "the store does not answer", cause);
  }
}
