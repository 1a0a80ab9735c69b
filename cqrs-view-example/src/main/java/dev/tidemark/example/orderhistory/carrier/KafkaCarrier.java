package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings events from Kafka to the views: one member of a consumer group. Offsets are committed
 * after a batch's outcomes, of each partition up to the first delivery that is not done; that one
 * holds back its partition until it is done ({@link KafkaBatches}). Poison goes to the dead-letter
 * topic and holds nothing back. What was handled but not committed, because of a crash or a
 * rebalance, comes again to this member or another, and the views know it.
 *
 * <p>Ends by {@link #stop}, or by a fault of Kafka that another attempt would not mend; both
 * clients are then closed. {@link #run} is for one thread, the other methods for any.
 */
public final class KafkaCarrier implements Carrier {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaCarrier.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<String, byte[]> consumer;
  private final List<String> topics;
  private final Producer<String, byte[]> producer;
  private final KafkaBatches batches;
  private final Commits commits;
  private final Stop stop = new Stop();
  private int faults;

  /**
   * A member that has not joined its group yet.
   *
   * @param consumer with {@link #settings}; used and closed by this alone
   * @param topics of events
   * @param producer with {@link #deadLetterSettings}; closed by this
   * @param deadLetterTopic where poison goes
   * @param handler the views
   * @param clock times the pauses
   */
  public KafkaCarrier(
      Consumer<String, byte[]> consumer,
      List<String> topics,
      Producer<String, byte[]> producer,
      String deadLetterTopic,
      Function<List<Delivery>, BatchOutcome<?>> handler,
      Clock clock) {
    this.consumer = consumer;
    this.topics = List.copyOf(topics);
    this.producer = producer;
    this.batches =
        new KafkaBatches(consumer, handler, new DeadLetterTopic(producer, deadLetterTopic), clock);
    this.commits = new Commits(consumer, batches);
  }

  /**
   * What the consumer needs: no commits by itself, cooperative rebalances, committed records alone,
   * and the start of a topic that its group does not know yet.
   *
   * @param bootstrapServers the brokers
   * @param group the consumer group
   * @return settings to which others may be added
   */
  public static Map<String, Object> settings(String bootstrapServers, String group) {
    return KafkaSettings.consumer(bootstrapServers, group);
  }

  /**
   * What the producer of dead letters needs: acknowledgement by all replicas, each letter once.
   *
   * @param bootstrapServers the brokers
   * @return settings to which others may be added
   */
  public static Map<String, Object> deadLetterSettings(String bootstrapServers) {
    return KafkaSettings.deadLetters(bootstrapServers);
  }

  @Override
  public void run() {
    try (producer;
        consumer) { // which leaves the group, and so commits what is done and not committed yet
      consumer.subscribe(topics, commits);
      while (!stop.isAsked()) {
        pollAndCommit();
      }
    }
  }

  @Override
  public void stop() {
    stop.ask();
  }

  /**
   * The partitions that wait because one of their deliveries is not done.
   *
   * @return with the reason and since when; empty if all is well
   */
  public List<PausedPartition> paused() {
    return batches.paused();
  }

  @Override
  public long deadLetters() {
    return batches.deadLetters();
  }

  private void pollAndCommit() {
    try {
      commits.commit(batches.poll(POLL));
      faults = 0;
    } catch (RetriableException e) {
      faults++;
      LOG.warn("Kafka answered {}, tried again", e.getClass().getSimpleName());
      stop.waitFor(Backoff.after(faults));
    }
  }
}
