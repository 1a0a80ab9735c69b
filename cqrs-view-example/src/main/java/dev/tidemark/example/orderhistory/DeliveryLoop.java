package dev.tidemark.example.orderhistory;

import dev.tidemark.Delivery;
import dev.tidemark.TidemarkException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;

/**
 * One member of a consumer group: polls records, hands each on as a delivery, and commits what is
 * done. A delivery that is not done holds its partition back: it is read again after a pause, and
 * what follows it waits, while other partitions go on. A record that was handled but not committed
 * (a crash, a rebalance) comes again; the handler has to bear that.
 *
 * <p>Ends by {@link #stop}, or by a fault that another attempt would not mend; the consumer is then
 * closed and nothing further committed. {@link #run} is for one thread, {@link #stop} for any.
 */
public final class DeliveryLoop implements Runnable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Consumer<String, byte[]> consumer;
  private final Function<ConsumerRecord<String, byte[]>, Delivery> decoder;
  private final Predicate<Delivery> handler;
  private final Clock clock;
  private final Map<TopicPartition, Instant> heldBack = new HashMap<>();
  private volatile boolean stopped;

  /**
   * A member that has subscribed to its topics already, and does not commit by itself.
   *
   * @param consumer used and closed by this loop alone
   * @param decoder makes the delivery of a record
   * @param handler whether a delivery is done and may be committed
   * @param clock times the pauses
   */
  public DeliveryLoop(
      Consumer<String, byte[]> consumer,
      Function<ConsumerRecord<String, byte[]>, Delivery> decoder,
      Predicate<Delivery> handler,
      Clock clock) {
    this.consumer = consumer;
    this.decoder = decoder;
    this.handler = handler;
    this.clock = clock;
  }

  @Override
  public void run() {
    try (consumer) {
      while (!stopped) {
        resumeWhatIsDue();
        handle(consumer.poll(POLL));
      }
    }
  }

  /** Lets {@link #run} return after the delivery that it is at. */
  public void stop() {
    stopped = true;
  }

  private void handle(ConsumerRecords<String, byte[]> records) {
    Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
    for (TopicPartition partition : records.partitions()) {
      long start = records.records(partition).get(0).offset();
      long next = handle(partition, records.records(partition));
      if (next > start) {
        done.put(partition, new OffsetAndMetadata(next));
      }
    }
    commit(done);
  }

  /** Handles records of one partition in their order; tells the first offset that is not done. */
  private long handle(TopicPartition partition, List<ConsumerRecord<String, byte[]>> records) {
    long next = records.get(0).offset();
    for (ConsumerRecord<String, byte[]> record : records) {
      if (stopped || !isDone(decoder.apply(record))) {
        consumer.seek(partition, record.offset());
        consumer.pause(List.of(partition));
        heldBack.put(partition, clock.instant().plus(PAUSE));
        return record.offset();
      }
      next = record.offset() + 1;
    }
    return next;
  }

  private boolean isDone(Delivery delivery) {
    try {
      return handler.test(delivery);
    } catch (TidemarkException e) {
      if (!e.isRetryable()) {
        throw e;
      }
      return false;
    }
  }

  private void resumeWhatIsDue() {
    Instant now = clock.instant();
    heldBack.keySet().retainAll(consumer.assignment());
    List<TopicPartition> due = new ArrayList<>();
    heldBack.forEach(
        (partition, until) -> {
          if (!until.isAfter(now)) {
            due.add(partition);
          }
        });
    consumer.resume(due);
    heldBack.keySet().removeAll(due);
  }

  private void commit(Map<TopicPartition, OffsetAndMetadata> done) {
    if (done.isEmpty()) {
      return;
    }
    try {
      consumer.commitSync(done);
    } catch (CommitFailedException | RebalanceInProgressException e) {
      // The partitions have moved on: their next member gets these records again.
    }
  }
}
