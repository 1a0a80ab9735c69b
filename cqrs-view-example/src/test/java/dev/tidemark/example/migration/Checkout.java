package dev.tidemark.example.migration;

/**
 * What a function is asked for.
 *
 * @param key of the request
 * @param order whose total is charged
 * @param cents to charge
 */
public record Checkout(String key, String order, int cents) {}
