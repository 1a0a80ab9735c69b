package dev.tidemark.example.orderhistory.carrier;

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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one member has done and not committed yet. A partition that is revoked is committed first;
 * of one that is lost nothing is, since it has another member already. For one thread.
 */
final class Commits implements ConsumerRebalanceListener {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaCarrier.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Consumer<String, byte[]> consumer;
  private final KafkaBatches batches;
  private final Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();

  Commits(Consumer<String, byte[]> consumer, KafkaBatches batches) {
    this.consumer = consumer;
    this.batches = batches;
  }

  /** Commits; what cannot be now stays for the next time, or comes again to another member. */
  void commit(Map<TopicPartition, OffsetAndMetadata> more) {
    done.putAll(more);
    if (done.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(done, PATIENCE);
      done.clear();
    } catch (RetriableException | CommitFailedException | RebalanceInProgressException e) {
      LOG.info("not committed yet: {}", e.getClass().getSimpleName());
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    LOG.info("got {}", partitions);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    commit(Map.of());
    onPartitionsLost(partitions);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    LOG.info("gave up {}", partitions);
    done.keySet().removeAll(partitions);
    batches.forget(partitions);
  }
}
