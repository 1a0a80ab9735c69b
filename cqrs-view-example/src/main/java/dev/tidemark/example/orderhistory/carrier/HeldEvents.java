package dev.tidemark.example.orderhistory.carrier;

import java.time.Instant;

/**
 * Events of a change stream that are not done, while others go on.
 *
 * @param count how many
 * @param reason the first one's outcome or fault, without values
 * @param since when the first one was not done for the first time
 * @param attempts how often it was not done, counted once a pause
 * @param until when they are tried again
 */
public record HeldEvents(int count, String reason, Instant since, int attempts, Instant until) {}
