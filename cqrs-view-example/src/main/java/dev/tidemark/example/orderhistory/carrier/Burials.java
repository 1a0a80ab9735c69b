package dev.tidemark.example.orderhistory.carrier;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Buries poison. What stands behind poison goes on; but while its dead letter cannot be written, it
 * is not done, and all comes again. Poison that comes again because something before it is not done
 * is not buried twice by one member. For one thread, but for {@link #count}.
 */
final class Burials implements BiConsumer<ConsumerRecord<String, byte[]>, String> {
  private final BiConsumer<ConsumerRecord<String, byte[]>, String> deadLetters;
  private final Map<TopicPartition, Set<Long>> buried = new HashMap<>();
  private final Map<ConsumerRecord<String, byte[]>, String> failures = new HashMap<>();
  private final AtomicLong count = new AtomicLong();

  Burials(BiConsumer<ConsumerRecord<String, byte[]>, String> deadLetters) {
    this.deadLetters = deadLetters;
  }

  /** Begins a batch. */
  void begin() {
    failures.clear();
  }

  @Override
  public void accept(ConsumerRecord<String, byte[]> record, String reason) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    Set<Long> offsets = buried.computeIfAbsent(partition, same -> new HashSet<>());
    if (offsets.contains(record.offset())) {
      return;
    }
    if (!failures.isEmpty()) { // one wait for the brokers is enough for a batch
      failures.put(record, "a dead letter before it could not be written");
      return;
    }
    try {
      deadLetters.accept(record, reason);
      offsets.add(record.offset());
      count.incrementAndGet();
    } catch (RuntimeException e) {
      DeadLetterTopic.throwIfFatal(e);
      failures.put(record, "its dead letter could not be written: " + Poison.reason(e));
    }
  }

  /** Why a record of this batch, which is poison, is not buried yet. */
  Optional<String> failure(ConsumerRecord<String, byte[]> record) {
    return Optional.ofNullable(failures.get(record));
  }

  /** How many were buried. */
  long count() {
    return count.get();
  }

  /** Forgets what was buried of a partition, which has gone past it, or to another member. */
  void forget(TopicPartition partition) {
    buried.remove(partition);
  }
}
