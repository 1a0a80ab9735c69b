package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Polls a consumer and hands what comes to the views. A delivery that is not done holds back its
 * partition, and no other: the partition is paused, longer each time, and read again from there. A
 * pause is logged as a warning. Commits nothing. For one thread, but for {@link #paused} and {@link
 * #deadLetters}.
 */
public final class KafkaBatches {
  private final Consumer<String, byte[]> consumer;
  private final Reasons views;
  private final Burials burials;
  private final Batches<ConsumerRecord<String, byte[]>> batches;
  private final PausedPartitions paused;

  /**
   * Batches of one consumer.
   *
   * @param consumer has its partitions, or gets them from its group
   * @param handler the views
   * @param deadLetters keeps a record and the reason, durably before it returns; while it throws,
   *     the record's partition is held back
   * @param clock times the pauses
   */
  public KafkaBatches(
      Consumer<String, byte[]> consumer,
      Function<List<Delivery>, BatchOutcome<?>> handler,
      BiConsumer<ConsumerRecord<String, byte[]>, String> deadLetters,
      Clock clock) {
    this.consumer = consumer;
    this.views = new Reasons(handler);
    this.burials = new Burials(deadLetters);
    this.batches = new Batches<>(KafkaBatches::delivery, views, burials);
    this.paused = new PausedPartitions(consumer, clock);
  }

  private static Delivery delivery(ConsumerRecord<String, byte[]> record) {
    byte[] json = record.value();
    if (json == null) {
      throw new IllegalArgumentException("not an event: the record has no value");
    }
    Delivery delivery = EventJson.decode(json).delivery();
    String lane = new TopicPartition(record.topic(), record.partition()).toString();
    return delivery.lane(lane, record.offset());
  }

  /**
   * Polls once, and handles what came.
   *
   * @param timeout how long to wait for records
   * @return what may be committed now: of each partition that went on, the first offset that is not
   *     done
   * @throws org.apache.kafka.common.KafkaException from the poll; or if dead letters are forbidden
   */
  public Map<TopicPartition, OffsetAndMetadata> poll(Duration timeout) {
    paused.resumeWhatIsDue();
    ConsumerRecords<String, byte[]> polled = consumer.poll(timeout);
    Set<ConsumerRecord<String, byte[]>> done = polled.isEmpty() ? Set.of() : handle(polled);
    Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>(polled.nextOffsets());
    for (TopicPartition partition : polled.partitions()) {
      polled.records(partition).stream()
          .filter(record -> !done.contains(record))
          .findFirst()
          .ifPresentOrElse(
              undone -> {
                pause(partition, undone);
                next.put(partition, new OffsetAndMetadata(undone.offset()));
              },
              () -> {
                paused.goOn(partition);
                burials.forget(partition);
              });
    }
    return next;
  }

  private Set<ConsumerRecord<String, byte[]>> handle(ConsumerRecords<String, byte[]> polled) {
    burials.begin();
    List<TopicPartition> partitions = new ArrayList<>(polled.partitions());
    Collections.shuffle(partitions); // so that none waits for ever behind what waits for it
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    partitions.forEach(partition -> records.addAll(polled.records(partition)));
    try {
      Set<ConsumerRecord<String, byte[]>> done = batches.handle(records);
      done.removeIf(record -> burials.failure(record).isPresent());
      return done;
    } catch (RuntimeException e) {
      DeadLetterTopic.throwIfFatal(e);
      views.failed(e);
      return Set.of();
    }
  }

  private void pause(TopicPartition partition, ConsumerRecord<String, byte[]> undone) {
    String reason = burials.failure(undone).orElseGet(() -> views.of(partition.toString()));
    paused.pause(partition, undone.offset(), reason);
  }

  /**
   * Forgets partitions that are this consumer's no longer.
   *
   * @param partitions which
   */
  public void forget(Collection<TopicPartition> partitions) {
    paused.forget(partitions);
    partitions.forEach(burials::forget);
  }

  /**
   * The partitions that wait because a delivery is not done. For any thread.
   *
   * @return as they are now
   */
  public List<PausedPartition> paused() {
    return paused.list();
  }

  /** {@return how many records went to the dead letters} */
  public long deadLetters() {
    return burials.count();
  }
}
