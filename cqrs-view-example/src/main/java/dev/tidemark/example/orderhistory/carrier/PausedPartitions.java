package dev.tidemark.example.orderhistory.carrier;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pauses partitions of one consumer, longer each time. For its thread, but for {@link #list}. */
final class PausedPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaCarrier.class);

  private final Consumer<String, byte[]> consumer;
  private final Clock clock;
  private final ConcurrentMap<TopicPartition, PausedPartition> paused = new ConcurrentHashMap<>();

  PausedPartitions(Consumer<String, byte[]> consumer, Clock clock) {
    this.consumer = consumer;
    this.clock = clock;
  }

  /** Lets a partition be read again from a delivery that is not done, after a pause. */
  void pause(TopicPartition partition, long offset, String reason) {
    consumer.seek(partition, offset);
    consumer.pause(List.of(partition));
    Instant now = clock.instant();
    PausedPartition before = paused.get(partition);
    PausedPartition first = new PausedPartition(partition, offset, reason, now, 0, now);
    PausedPartition last = before == null || before.offset() != offset ? first : before;
    int attempts = last.attempts() + 1;
    Duration pause = Backoff.after(attempts);
    paused.put(
        partition,
        new PausedPartition(partition, offset, reason, last.since(), attempts, now.plus(pause)));
    LOG.warn(
        "paused {} at offset {} for {}, attempt {}: {}",
        partition,
        offset,
        pause,
        attempts,
        reason);
  }

  /** Takes note that all that came of a partition is done. */
  void goOn(TopicPartition partition) {
    PausedPartition before = paused.remove(partition);
    if (before != null) {
      LOG.info("{} goes on after {} attempts", partition, before.attempts());
    }
  }

  void resumeWhatIsDue() {
    Instant now = clock.instant();
    List<TopicPartition> due = new ArrayList<>(consumer.paused());
    paused.values().stream()
        .filter(waiting -> waiting.until().isAfter(now))
        .forEach(waiting -> due.remove(waiting.partition()));
    consumer.resume(due);
  }

  void forget(Collection<TopicPartition> partitions) {
    paused.keySet().removeAll(partitions);
  }

  List<PausedPartition> list() {
    return List.copyOf(paused.values());
  }
}
