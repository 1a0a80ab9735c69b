package dev.tidemark.example.orderhistory;

/**
 * One line of an order.
 *
 * @param name what was ordered
 * @param quantity how many
 * @param cents the price of all of them
 */
public record OrderLine(String name, int quantity, long cents) {}
