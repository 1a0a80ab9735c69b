package dev.tidemark.kafka;

import dev.tidemark.MessageId;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.kernel.Backoff;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Hands the records of a Kafka consumer to an intake, and says what to commit and what to pause. It
 * talks to no broker: for those with a poll loop of their own. {@link KafkaIntakeLoop} is the loop
 * for everybody else.
 *
 * <pre>{@code
 * KafkaProgress progress = intake.handle(consumer.poll(timeout));
 * progress.toSeek().forEach(consumer::seek);
 * progress.toPause().forEach(paused -> consumer.pause(List.of(paused.partition())));
 * consumer.commitSync(progress.toCommit());
 * }</pre>
 *
 * <p>A record that is not done holds back its own partition and no other: the partition is to be
 * read again from that record, after a pause that grows with each attempt. What was done behind it
 * meanwhile is remembered here, and not handled again by this instance; another instance that gets
 * the partition handles it again, as duplicates. A record that waits for another one behind it, as
 * after a gap, goes on if that one comes in the same poll ({@code max.poll.records}) and among the
 * first 100 records of the partition that are not done. The partition stands still while all of
 * these wait.
 *
 * <p>Records go to the handler 100 at a time. After {@link #within}, the rest of a poll is left for
 * the next one, so that the group does not take a slow consumer for a dead one.
 *
 * <p>For one thread, but for {@link #paused}, which is for any.
 *
 * @param <K> the type of keys
 * @param <V> the type of values
 */
public final class KafkaIntake<K, V> {
  private static final Duration LONGEST_STEP = Duration.ofMinutes(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final Intake<ConsumerRecord<K, V>> intake;
  private final SettledOffsets settled = new SettledOffsets();
  private final ConcurrentMap<TopicPartition, PausedPartition> paused = new ConcurrentHashMap<>();
  private Duration longest = LONGEST_STEP;
  private Backoff pauses = Backoff.ofIntake(FIRST_PAUSE, LONGEST_PAUSE);
  private Clock clock = Clock.systemUTC();
  private LongSupplier nanos = System::nanoTime;
  private Random random = new Random();

  private KafkaIntake(Intake<ConsumerRecord<K, V>> intake) {
    this.intake = Objects.requireNonNull(intake, "intake");
  }

  /**
   * Settings of an intake that knows a record by its place, and whose lanes are the partitions.
   *
   * @param decoder makes deliveries of records, such as {@code record ->
   *     Delivery.of(KafkaIntake.identity(record), json.readValue(record.value(), Event.class))}.
   *     Decode bytes there, not by the consumer's deserializer, which knows no dead letters
   * @param handler handles deliveries, as projectors do
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return a builder
   */
  public static <K, V> IntakeBuilder<ConsumerRecord<K, V>> builder(
      Decoder<? super ConsumerRecord<K, V>> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return Intake.<ConsumerRecord<K, V>>builder(RecordPlace::of, decoder, handler)
        .lane(record -> Step.partition(record).toString());
  }

  /**
   * Steps of one consumer.
   *
   * @param intake of {@link #builder}; several consumers may share it
   * @param <K> the type of keys
   * @param <V> the type of values
   * @return for one consumer
   */
  public static <K, V> KafkaIntake<K, V> of(Intake<ConsumerRecord<K, V>> intake) {
    return new KafkaIntake<>(intake);
  }

  /**
   * Requires that a consumer with these settings loses no records.
   *
   * @param settings of the consumer that is to be made
   * @return the settings
   * @throws IllegalArgumentException unless {@code enable.auto.commit} is {@code false}, {@code
   *     auto.offset.reset} is {@code earliest} or {@code none}, and {@code group.id} is there
   */
  public static Map<String, Object> requireSafe(Map<String, Object> settings) {
    SafeConsumer.require(settings);
    return settings;
  }

  /**
   * The identity of a record whose event has none of its own: the ID that a sender of Tidemark gave
   * it for this topic ({@link KafkaSender#ID}, {@link KafkaSender#DESTINATION}), else topic,
   * partition and offset; of a record that a {@link KafkaRedrive} put back those where it was
   * first, so that what it had done in part before it died is not done again. A record that was
   * made of such a one, with its headers and another key or value, is another one, where both are
   * bytes or texts. An identity of the event's own is better where there is one: an offset knows
   * redeliveries, but not what a producer has sent twice.
   *
   * <p>An ID for another topic, and one that names no topic, as earlier senders gave it, may have
   * been handed on by whoever made this record of another one, as Kafka Streams does: two records
   * may have it. Whoever makes a record of another one in the same topic must leave out the header
   * of the ID. {@link #identityOfSent} is for topics in which that cannot be.
   *
   * <p>{@link dev.tidemark.SourceEvent#kafka(String, int, long)} makes a cheaper mark of the same
   * place: one number for each partition. But a record that is put back has a later offset, by
   * which it is another event, or is dropped as late if it is given its first one.
   *
   * <p>A topic that is deleted and created anew begins at offset 0 again, and so does a topic of
   * the same name in another cluster. Their records would pass for duplicates of the first ones:
   * use {@link #identity(ConsumerRecord, String)} there.
   *
   * @param record as it came
   * @return its identity
   */
  public static MessageId identity(ConsumerRecord<?, ?> record) {
    return sentHere(record).map(MessageId::of).orElseGet(() -> place(record));
  }

  /**
   * As {@link #identity(ConsumerRecord)}, but by the ID that a sender of Tidemark gave the record
   * for whatever topic. Right only where each record was made by such a sender, or is a copy of one
   * record: in a topic that nobody else writes, its retry topics, its mirrors.
   *
   * @param record as it came
   * @return its identity
   */
  public static MessageId identityOfSent(ConsumerRecord<?, ?> record) {
    return KafkaDeadLetters.header(record, KafkaSender.ID)
        .map(MessageId::of)
        .orElseGet(() -> place(record));
  }

  /** The ID that was given for the record's own topic. */
  private static Optional<String> sentHere(ConsumerRecord<?, ?> record) {
    return KafkaDeadLetters.header(record, KafkaSender.DESTINATION)
        .filter(record.topic()::equals)
        .flatMap(here -> KafkaDeadLetters.header(record, KafkaSender.ID));
  }

  private static MessageId place(ConsumerRecord<?, ?> record) {
    Optional<String> partition = KafkaDeadLetters.header(record, KafkaDeadLetters.PARTITION);
    Optional<String> offset = KafkaDeadLetters.header(record, KafkaDeadLetters.OFFSET);
    return isRedriven(record) && partition.isPresent() && offset.isPresent()
        ? MessageId.of("kafka", record.topic(), partition.get(), offset.get())
        : MessageId.of("kafka", record.topic(), "" + record.partition(), "" + record.offset());
  }

  /**
   * As {@link #identity(ConsumerRecord)}, in a cluster with a name, or in a topic that was created
   * anew, with a name for this creation: so two records of the same topic, partition and offset are
   * not taken for one. An ID that a sender of Tidemark gave for this topic stays as it is.
   *
   * @param record as it came
   * @param cluster names the cluster and, if need be, the topic's creation, such as {@code eu-2};
   *     the same for as long as the topic lives, also across its redrives
   * @return its identity, which is another one for each name
   * @throws IllegalArgumentException if the name is empty
   */
  public static MessageId identity(ConsumerRecord<?, ?> record, String cluster) {
    if (cluster.isEmpty()) {
      throw new IllegalArgumentException("the name of the cluster must not be empty");
    }
    MessageId plain = identity(record);
    return sentHere(record).isPresent()
        ? plain
        : MessageId.of("kafka-cluster", cluster, plain.value());
  }

  /**
   * When a record was first written: its timestamp, and that of its first place where a {@link
   * KafkaRedrive} put it back, which gives it a new one. By it a record that comes back later is
   * told from one that was written later. A time of the event's own is better where there is one.
   *
   * @param record as it came
   * @return its first timestamp, as the topic's {@code message.timestamp.type} has it
   */
  public static Instant time(ConsumerRecord<?, ?> record) {
    Optional<String> first = KafkaDeadLetters.header(record, KafkaDeadLetters.TIME);
    return Instant.ofEpochMilli(
        isRedriven(record) && first.isPresent() ? Long.parseLong(first.get()) : record.timestamp());
  }

  /** Whether it was put back, and is not made of one by somebody who hands headers on. */
  static boolean isRedriven(ConsumerRecord<?, ?> record) {
    String known = KafkaDeadLetters.header(record, KafkaDeadLetters.DIGEST).orElse("");
    String own = known.isEmpty() ? "" : KafkaDeadLetters.digest(record);
    return KafkaDeadLetters.header(record, KafkaDeadLetters.TOPIC)
            .equals(Optional.of(record.topic()))
        && (own.isEmpty() || own.equals(known)); // letters of earlier versions have none
  }

  /**
   * How long the records of one poll are worked on before the rest is left for the next one. It and
   * the longest call of the handler, with 100 records, have to be shorter together than the
   * consumer's {@code max.poll.interval.ms}, which is 5 minutes by default.
   *
   * @param longest 1 minute unless given
   * @return this
   */
  public KafkaIntake<K, V> within(Duration longest) {
    if (longest.isNegative() || longest.isZero()) {
      throw new IllegalArgumentException("longest must be positive, was " + longest);
    }
    this.longest = longest;
    return this;
  }

  /**
   * How long a partition waits before the record that is not done is tried again: twice as long
   * each time.
   *
   * @param first 250 ms unless given
   * @param longest 10 s unless given
   * @return this
   */
  public KafkaIntake<K, V> pauses(Duration first, Duration longest) {
    this.pauses = Backoff.ofIntake(first, longest);
    return this;
  }

  /** For tests, in which time passes by itself. */
  KafkaIntake<K, V> time(Clock clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
    return this;
  }

  /** For tests, in which a life is repeated by its seed. */
  KafkaIntake<K, V> random(Random random) {
    this.random = random;
    return this;
  }

  long now() {
    return nanos.getAsLong();
  }

  Backoff pauses() {
    return pauses;
  }

  /**
   * Handles what a poll returned. It goes to one intake, which forgets what it has told to commit.
   * For two views of it, one handler calls both: {@code deliveries ->
   * one.handle(deliveries).and(two.handle(deliveries))}.
   *
   * @param polled all of it
   * @return what to tell the consumer before the next poll
   */
  public KafkaProgress handle(ConsumerRecords<K, V> polled) {
    return handle(polled, () -> true);
  }

  /**
   * Handles what a poll returned, until told otherwise.
   *
   * @param goesOn whether to begin another batch
   */
  KafkaProgress handle(ConsumerRecords<K, V> polled, BooleanSupplier goesOn) {
    long end = now() + longest.toNanos();
    Step<K, V> step = new Step<>(intake, settled, polled, random);
    step.take(() -> now() - end < 0 && goesOn.getAsBoolean());
    Map<TopicPartition, OffsetAndMetadata> toCommit = new HashMap<>(polled.nextOffsets());
    Map<TopicPartition, Long> toSeek = new HashMap<>();
    List<PausedPartition> toPause = new ArrayList<>();
    for (TopicPartition partition : polled.partitions()) {
      Optional<ConsumerRecord<K, V>> undone = step.firstUndone(partition);
      if (undone.isEmpty()) {
        settled.forgetBefore(partition, end(polled.records(partition)));
        paused.remove(partition);
        continue;
      }
      ConsumerRecord<K, V> first = undone.get();
      toCommit.put(partition, new OffsetAndMetadata(first.offset(), first.leaderEpoch(), ""));
      toSeek.put(partition, first.offset());
      settled.forgetBefore(partition, first.offset());
      step.reason(first)
          .ifPresentOrElse(
              reason -> toPause.add(pause(partition, first.offset(), reason)),
              () -> paused.values().removeIf(old -> isBehind(old, partition, first.offset())));
    }
    return new KafkaProgress(toCommit, toSeek, toPause);
  }

  /** Behind a poll there may be what an earlier, longer one has brought and is done. */
  private static long end(List<? extends ConsumerRecord<?, ?>> records) {
    return records.isEmpty() ? 0 : records.get(records.size() - 1).offset() + 1;
  }

  private static boolean isBehind(PausedPartition old, TopicPartition partition, long offset) {
    return old.partition().equals(partition) && old.offset() != offset;
  }

  private PausedPartition pause(TopicPartition partition, long offset, String reason) {
    PausedPartition last = paused.get(partition);
    int attempts = 1;
    Instant since = clock.instant();
    if (last != null && last.offset() == offset) {
      attempts = last.attempts() + 1;
      since = last.since();
    }
    Duration pause = pauses.after(attempts);
    PausedPartition now = new PausedPartition(partition, offset, reason, since, attempts, pause);
    paused.put(partition, now);
    return now;
  }

  /**
   * Forgets partitions that are this consumer's no longer. Call it when they are revoked or lost.
   *
   * @param partitions which
   */
  public void forget(Collection<TopicPartition> partitions) {
    partitions.forEach(settled::forget);
    paused.keySet().removeAll(partitions);
  }

  /**
   * The partitions that wait because one of their records is not done: for health checks.
   *
   * @return as they are now, with reason and since; empty if all is well
   */
  public List<PausedPartition> paused() {
    return List.copyOf(paused.values());
  }
}
