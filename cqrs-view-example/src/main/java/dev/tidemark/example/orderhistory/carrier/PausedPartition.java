package dev.tidemark.example.orderhistory.carrier;

import java.time.Instant;
import org.apache.kafka.common.TopicPartition;

/**
 * A partition that waits, because one of its deliveries is not done.
 *
 * @param partition which
 * @param offset the delivery's place
 * @param reason its outcome or fault, without values
 * @param since when it was not done for the first time
 * @param attempts how often it was not done
 * @param until when it is tried again
 */
public record PausedPartition(
    TopicPartition partition,
    long offset,
    String reason,
    Instant since,
    int attempts,
    Instant until) {}
