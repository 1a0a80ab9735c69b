package dev.tidemark.example.orderhistory.checkout;

/**
 * What a checkout came to.
 *
 * @param orderId of the order that is paid
 * @param charge the provider's id of the charge
 * @param cents how much was charged
 */
public record Receipt(String orderId, String charge, long cents) {}
