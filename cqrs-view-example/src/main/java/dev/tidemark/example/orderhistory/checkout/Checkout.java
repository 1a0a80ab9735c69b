package dev.tidemark.example.orderhistory.checkout;

import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Positive;

/**
 * What a consumer asks for.
 *
 * @param consumerId who pays
 * @param cents how much
 */
public record Checkout(@NotEmpty String consumerId, @Positive long cents) {}
