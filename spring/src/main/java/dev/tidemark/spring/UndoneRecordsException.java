package dev.tidemark.spring;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Tells the error handler from where partitions have to be read again. */
final class UndoneRecordsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Map<TopicPartition, Long> offsets;

  /**
   * By the first record of each partition that is not done, and what the first of all waits for.
   */
  UndoneRecordsException(Map<TopicPartition, Long> offsets, String first) {
    super(
        "not done yet, in %d partition(s); the first: %s".formatted(offsets.size(), first),
        null,
        false,
        false);
    this.offsets = Map.copyOf(offsets);
  }

  Map<TopicPartition, Long> offsets() {
    return offsets;
  }
}
