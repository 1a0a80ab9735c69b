package dev.tidemark.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * What one member has done and not committed yet. A partition that is revoked is committed first;
 * of one that is lost nothing is, since it has another member already. For one thread.
 */
final class Commits implements ConsumerRebalanceListener {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Consumer<?, ?> consumer;
  private final KafkaIntake<?, ?> intake;
  private final Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();

  Commits(Consumer<?, ?> consumer, KafkaIntake<?, ?> intake) {
    this.consumer = consumer;
    this.intake = intake;
  }

  /** Takes note of what is done; it is committed next. */
  void add(Map<TopicPartition, OffsetAndMetadata> more) {
    done.putAll(more);
  }

  /**
   * Commits. What cannot be committed because the group is being rebalanced waits for the callbacks
   * below, which tell whose the partitions are. An offset that the consumer stands before is of a
   * topic that was deleted: the one that was created in its place is read from its beginning.
   *
   * @throws RetriableException if another attempt may do it
   */
  void commit() {
    try {
      done.entrySet()
          .removeIf(to -> consumer.position(to.getKey(), PATIENCE) < to.getValue().offset());
      if (done.isEmpty()) {
        return;
      }
      consumer.commitSync(Map.copyOf(done), PATIENCE);
      done.clear();
    } catch (CommitFailedException | RebalanceInProgressException e) {
      return; // the next poll takes part in the rebalance
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    // They begin where the group has committed them, and wait for nothing.
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    try {
      commit();
    } catch (RetriableException e) {
      // The next member gets again what is done, as duplicates.
    } finally {
      onPartitionsLost(partitions);
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    done.keySet().removeAll(partitions);
    intake.forget(partitions);
  }
}
