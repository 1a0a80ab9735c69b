package dev.tidemark.example.orderhistory.rebuild;

import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.example.orderhistory.store.StoredGenerations;
import dev.tidemark.intake.DeadLetters;
import dev.tidemark.kafka.KafkaIntake;
import dev.tidemark.kafka.KafkaProgress;
import dev.tidemark.kafka.PausedPartition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Rebuilds the views: fills the next generation from the topics' start, while the old one serves,
 * and then lets it serve. The way out of a wrong projector: deploy the right one, then run this.
 * The topics have to hold every event, and to be there: one without partitions is refused. Poison,
 * which cannot be decoded, is counted and passed over; the dead letters have it. An event that can
 * be decoded, and that the new projector still fails on after ten tries, ends the rebuild, before
 * the switch if it came before: a generation without it does not serve.
 *
 * <p>Why nothing is lost. A writer asks which generation serves after it has polled its records,
 * and trusts an answer for {@link Generations#SWITCH_SECONDS}. So what goes into the old generation
 * alone was in its topic no later than that after the switch, however long the writer then takes
 * for it. This reads on until it has passed the topics' ends as they are a margin later than that,
 * the margin being for clocks that run unequally. What comes both from here and from a writer is
 * applied once: the rows have marks.
 *
 * <p>Where rows publish changes of their statuses, a rebuild publishes nothing of what it reads. At
 * the end it lets each new row speak for its order in place of the old one ({@link Handover}), and
 * only what is different is told: neither is the history sent again, nor is a status lost. It needs
 * the same {@code STATUS_EVENTS} as the service. From the switch until then an order that changes
 * is told by its new row as if for the first time, and what its old row told is taken back at the
 * end.
 *
 * <p>If it is interrupted, running it again goes on with the same generation; events that it had
 * applied are duplicates, in the sums for as long as they remember message IDs (30 days). The old
 * generation stays, as the way back, until somebody drops it. After that way back the next rebuild
 * fills a generation that nobody has filled. For one thread.
 */
public final class Rebuild {
  private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration MARGIN = Duration.ofSeconds(4);

  /** How long after the switch the last events may come that only the old generation gets. */
  static final Duration AFTER_SWITCH = Duration.ofSeconds(Generations.SWITCH_SECONDS).plus(MARGIN);

  private final Consumer<String, byte[]> consumer;
  private final List<String> topics;
  private final Generations generations;
  private final Clock clock;
  private final Map<TopicPartition, Instant> resumed = new HashMap<>();
  private long poison;
  private @Nullable String failed;

  /**
   * What a rebuild did.
   *
   * @param generation the one that serves now
   * @param records how many were read
   * @param poison how many of them were passed over, since they cannot be decoded
   * @param took how long it took
   */
  public record Summary(int generation, long records, long poison, Duration took) {
    @Override
    public String toString() {
      return String.format(
          "rebuild generation=%s records=%s poison=%s seconds=%s",
          generation, records, poison, took.toSeconds());
    }
  }

  /**
   * A rebuild that has not begun.
   *
   * @param consumer with {@link #settings}; closed by this
   * @param topics of events
   * @param generations where the views are
   * @param clock times pauses and the end
   */
  public Rebuild(
      Consumer<String, byte[]> consumer,
      List<String> topics,
      Generations generations,
      Clock clock) {
    this.consumer = consumer;
    this.topics = List.copyOf(topics);
    this.generations = generations;
    this.clock = clock;
  }

  /**
   * Rebuilds with the settings of the environment, and prints a summary.
   *
   * @param args none
   */
  public static void main(String... args) {
    System.out.println(run(Settings.of(System.getenv()), Clock.systemUTC()));
  }

  static Summary run(Settings settings, Clock clock) {
    String servers =
        Settings.needed(true, "KAFKA_BOOTSTRAP_SERVERS", settings.kafkaBootstrapServers());
    Map<String, Object> client = settings(servers);
    List<String> topics = List.of(settings.kafkaTopics().split(","));
    try (Generations generations =
        StoredGenerations.open(settings, null, clock, DynamoDbClient::create)) {
      return new Rebuild(new KafkaConsumer<>(client), topics, generations, clock).run();
    }
  }

  /**
   * What the consumer needs: as those that serve, but of no group.
   *
   * @param bootstrapServers the brokers
   * @return settings to which others may be added
   */
  public static Map<String, Object> settings(String bootstrapServers) {
    return Map.of(
        "bootstrap.servers",
        bootstrapServers,
        "enable.auto.commit",
        false,
        "auto.offset.reset",
        "earliest",
        "isolation.level",
        "read_committed",
        "allow.auto.create.topics",
        false,
        "key.deserializer",
        StringDeserializer.class.getName(),
        "value.deserializer",
        ByteArrayDeserializer.class.getName());
  }

  /**
   * Rebuilds. Deliveries that cannot be done now are tried again, after pauses that grow; faults of
   * Kafka end it.
   *
   * @return what was done
   * @throws IllegalStateException if a topic has no partitions, the views fail on an event, or an
   *     order is not handed over; the message says which, and running it again goes on
   */
  public Summary run() {
    Instant start = clock.instant();
    int generation;
    long records;
    try (consumer) {
      List<TopicPartition> partitions = assign();
      generation = generations.beginRebuild();
      generations.prepare(generation);
      Views views = new Views(generations.rebuilding(generation));
      KafkaIntake<String, byte[]> intake =
          KafkaIntake.of(
              KafkaIntake.<String, byte[]>builder(
                      record -> EventJson.decode(record.value()).delivery(), views)
                  .deadLetters(this::giveUp)
                  .build());
      readTo(consumer.endOffsets(partitions), intake);
      readTo(consumer.endOffsets(partitions), intake); // and what came meanwhile
      generations.serve(generation);
      Instant last = clock.instant().plus(AFTER_SWITCH);
      while (clock.instant().isBefore(last)) {
        step(intake);
      }
      readTo(consumer.endOffsets(partitions), intake);
      records = read(partitions);
      if (generations.announces()) {
        handOver(partitions, generation);
      }
    }
    generations.endRebuild();
    return new Summary(generation, records, poison, Duration.between(start, clock.instant()));
  }

  /** Poison is passed over; what the views fail on is remembered, and ends the step. */
  private void giveUp(ConsumerRecord<String, byte[]> record, DeadLetters.Reason reason) {
    poison++;
    if (!reason.undecodable() && failed == null) {
      failed =
          "the projector fails on the event at %s-%d, offset %d: %s; mend it and rebuild again"
              .formatted(record.topic(), record.partition(), record.offset(), reason.text());
    }
  }

  /** Reads once more which orders there are: neither memory nor a scan has to hold them all. */
  private void handOver(List<TopicPartition> partitions, int generation) {
    Handover handover =
        new Handover(
            generations.before(generation).stream().map(ViewStore::orders).toList(),
            generations.generation(generation).orders(),
            generation);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    consumer.resume(consumer.paused());
    consumer.seekToBeginning(partitions);
    while (isBefore(ends)) {
      List<String> orders = new ArrayList<>();
      consumer.poll(POLL).forEach(record -> order(record.value()).ifPresent(orders::add));
      handover.take(orders.stream().distinct().toList());
    }
  }

  /** The order that an event creates: no other has a restaurant, and so a status to tell. */
  private static Optional<String> order(byte[] json) {
    try {
      return EventJson.decode(json) instanceof OrderCreated created
          ? Optional.of(created.orderId())
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // poison, which was counted before
    }
  }

  private List<TopicPartition> assign() {
    List<TopicPartition> partitions =
        topics.stream()
            .flatMap(topic -> partitions(topic).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return partitions;
  }

  private List<PartitionInfo> partitions(String topic) {
    List<PartitionInfo> found = consumer.partitionsFor(topic);
    if (found == null || found.isEmpty()) {
      throw new IllegalStateException(
          "the topic " + topic + " has no partitions: name all topics of events in KAFKA_TOPICS");
    }
    return found;
  }

  private void readTo(Map<TopicPartition, Long> ends, KafkaIntake<String, byte[]> intake) {
    while (isBefore(ends)) {
      step(intake);
    }
  }

  /** Polls once; a partition with a delivery that is not done is read again from there. */
  private void step(KafkaIntake<String, byte[]> intake) {
    Instant now = clock.instant();
    List<TopicPartition> due = new ArrayList<>(consumer.paused());
    due.removeIf(partition -> resumed.getOrDefault(partition, now).isAfter(now));
    consumer.resume(due);
    KafkaProgress progress = intake.handle(consumer.poll(POLL));
    if (failed != null) {
      throw new IllegalStateException(failed);
    }
    progress.toSeek().forEach(consumer::seek);
    for (PausedPartition paused : progress.toPause()) {
      LOG.warn("{} waits for {}: {}", paused.partition(), paused.pause(), paused.reason());
      resumed.put(paused.partition(), now.plus(paused.pause()));
      consumer.pause(List.of(paused.partition()));
    }
  }

  private boolean isBefore(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue());
  }

  private long read(List<TopicPartition> partitions) {
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
    return partitions.stream()
        .mapToLong(p -> consumer.position(p) - starts.getOrDefault(p, 0L))
        .sum();
  }
}
