/**
 * A checkout: money is reserved, charged and confirmed at a payment provider, once per order,
 * whatever becomes of the process that began it. It knows neither HTTP requests nor stores.
 */
@NullMarked
package dev.tidemark.example.orderhistory.checkout;

import org.jspecify.annotations.NullMarked;
