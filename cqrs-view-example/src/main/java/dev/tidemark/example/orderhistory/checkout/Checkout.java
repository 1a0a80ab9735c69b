package dev.tidemark.example.orderhistory.checkout;

/**
 * What a consumer asks for.
 *
 * @param consumerId who pays
 * @param cents how much, more than 0
 */
public record Checkout(String consumerId, long cents) {
  /**
   * Checks it.
   *
   * @param consumerId who pays
   * @param cents how much, more than 0
   */
  public Checkout {
    if (consumerId == null || consumerId.isEmpty()) {
      throw new IllegalArgumentException("consumerId is missing");
    }
    if (cents <= 0) {
      throw new IllegalArgumentException("cents must be more than 0, was " + cents);
    }
  }
}
