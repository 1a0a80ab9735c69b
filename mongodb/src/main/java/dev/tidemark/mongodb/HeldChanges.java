package dev.tidemark.mongodb;

import java.time.Duration;
import java.time.Instant;

/**
 * Changes of a stream that are not done, while later ones go on.
 *
 * @param count how many
 * @param reason why the first one is not done, without keys and values
 * @param since when the standstill began: since then none of the held changes was done
 * @param attempts how many attempts in a row have done none of them, at least 1
 * @param pause how long to wait before the next attempt, unless something comes
 */
public record HeldChanges(int count, String reason, Instant since, int attempts, Duration pause) {}
