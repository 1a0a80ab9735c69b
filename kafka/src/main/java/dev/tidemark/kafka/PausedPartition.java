package dev.tidemark.kafka;

import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.TopicPartition;

/**
 * A partition that waits, because one of its records is not done.
 *
 * @param partition the partition
 * @param offset the first record that is not done, from which the partition is read again
 * @param reason why it is not done, without keys and payloads
 * @param since when it was not done for the first time
 * @param attempts how often it was not done, at least 1
 * @param pause how long to wait before the next attempt
 */
public record PausedPartition(
    TopicPartition partition,
    long offset,
    String reason,
    Instant since,
    int attempts,
    Duration pause) {}
