package dev.tidemark.kafka;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What to tell a consumer once its records were handled: seek, then pause, then commit.
 *
 * @param toCommit of each partition the first offset that is not done
 * @param toSeek the offsets from which partitions have to be read again: those of {@code toPause},
 *     and those for whose records there was no time
 * @param toPause the partitions to pause, each for as long as it says
 */
public record KafkaProgress(
    Map<TopicPartition, OffsetAndMetadata> toCommit,
    Map<TopicPartition, Long> toSeek,
    List<PausedPartition> toPause) {
  /**
   * Copies what is given.
   *
   * @param toCommit of each partition the first offset that is not done
   * @param toSeek the offsets from which partitions have to be read again: those of {@code
   *     toPause}, and those for whose records there was no time
   * @param toPause the partitions to pause, each for as long as it says
   */
  public KafkaProgress {
    toCommit = Map.copyOf(toCommit);
    toSeek = Map.copyOf(toSeek);
    toPause = List.copyOf(toPause);
  }
}
