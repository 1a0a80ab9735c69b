package dev.tidemark.example.orderhistory;

/**
 * One step of an order's timeline.
 *
 * @param status what the order became
 * @param at when, as {@link OrderView#time} writes it
 */
public record TimelineStep(String status, String at) {}
