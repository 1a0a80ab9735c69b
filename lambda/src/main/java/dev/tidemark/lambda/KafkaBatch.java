package dev.tidemark.lambda;

import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent.KafkaEventRecord;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.lambda.KafkaBatchResponse.BatchItemFailure;
import dev.tidemark.lambda.KafkaBatchResponse.ItemIdentifier;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Records of Kafka topics, managed (MSK) or not, as a Lambda function gets them: of several
 * partitions in one event, with keys and values in Base64.
 *
 * <p>The answer names the first record of each partition that is not done, and the mapping goes on
 * from there. Kafka's mappings read it in provisioned mode only, if they report batch item
 * failures; behind any other one use {@link #handleOrThrow}. See the package for what all batches
 * do. For any number of threads.
 */
public final class KafkaBatch {
  private static final String FIRST_TOPIC = "tidemark-dead-topic";
  private static final String FIRST_PARTITION = "tidemark-dead-partition";
  private static final String FIRST_OFFSET = "tidemark-dead-offset";
  private static final String FIRST_TIME = "tidemark-dead-time";
  private static final String DIGEST = "tidemark-dead-digest";

  private final Batch<KafkaEventRecord> batch;

  private KafkaBatch(Batch<KafkaEventRecord> batch) {
    this.batch = batch;
  }

  /**
   * Records for a handler, without dead letters of the function's own: what cannot be handled holds
   * up its partition until the mapping gives it up.
   *
   * @param decoder makes deliveries of records
   * @param handler handles deliveries, as projectors do
   * @return a batch for all invocations of a function
   */
  public static KafkaBatch of(
      Decoder<? super KafkaEventRecord> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return of(decoder, handler, intake -> {});
  }

  /**
   * Records for a handler, with settings of the intake: dead letters, patience, a listener.
   *
   * @param decoder makes deliveries of records
   * @param handler handles deliveries, as projectors do
   * @param settings sets what is needed; lanes are the partitions, whatever it says of them
   * @return a batch for all invocations of a function
   */
  public static KafkaBatch of(
      Decoder<? super KafkaEventRecord> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler,
      Consumer<? super IntakeBuilder<KafkaEventRecord>> settings) {
    return new KafkaBatch(
        new Batch<>(
            record -> // the time tells a topic from the one that was deleted
            partition(record) + "@" + record.getOffset() + " of " + record.getTimestamp(),
            KafkaBatch::partition,
            decoder,
            handler,
            settings));
  }

  /**
   * Handles an event whose mapping reports batch item failures.
   *
   * @param event as Lambda has it
   * @return the first record of each partition that is not done
   * @throws IllegalArgumentException if records are missing, or one does not belong to the
   *     partition that it stands under; nothing is handled then
   * @throws RuntimeException what the handler itself threw, if nothing is done
   */
  public KafkaBatchResponse handle(KafkaEvent event) {
    Map<String, Long> first = new LinkedHashMap<>();
    for (KafkaEventRecord record : batch.undone(records(event))) {
      first.merge(partition(record), record.getOffset(), Math::min);
    }
    return new KafkaBatchResponse(
        first.entrySet().stream()
            .map(e -> new BatchItemFailure(new ItemIdentifier(e.getKey(), e.getValue())))
            .toList());
  }

  /**
   * Handles an event whose mapping does not report batch item failures, so that all of it comes
   * again if anything is not done. A dead letter among it may then be kept again.
   *
   * @param event as Lambda has it
   * @throws IllegalArgumentException if records are missing, or one does not belong to the
   *     partition that it stands under; nothing is handled then
   * @throws IllegalStateException if anything is not done
   */
  public void handleOrThrow(KafkaEvent event) {
    batch.requireDone(records(event));
  }

  /**
   * A record's value.
   *
   * @param record a record
   * @return its bytes; empty if it has none, as a tombstone
   * @throws IllegalArgumentException if it is not in Base64
   */
  public static Optional<byte[]> value(KafkaEventRecord record) {
    return Optional.ofNullable(record.getValue()).map(Base64.getDecoder()::decode);
  }

  /**
   * A record's key.
   *
   * @param record a record
   * @return its bytes; empty if it has none
   * @throws IllegalArgumentException if it is not in Base64
   */
  public static Optional<byte[]> key(KafkaEventRecord record) {
    return Optional.ofNullable(record.getKey()).map(Base64.getDecoder()::decode);
  }

  /**
   * The last of a record's headers of one name.
   *
   * @param record a record
   * @param name the header's name
   * @return its bytes; empty if there is none
   */
  public static Optional<byte[]> header(KafkaEventRecord record, String name) {
    return Stream.ofNullable(record.getHeaders())
        .flatMap(List::stream)
        .map(header -> header.get(name))
        .filter(Objects::nonNull)
        .reduce((former, latter) -> latter);
  }

  /**
   * The place of a record in its partition, where there is only ever one cluster: see {@link
   * SourceEvent#kafka(String, int, long)}.
   *
   * @param record a record
   * @return topic, partition and offset
   */
  public static SourceEvent place(KafkaEventRecord record) {
    return SourceEvent.kafka(record.getTopic(), record.getPartition(), record.getOffset());
  }

  /**
   * The identity of a record whose event has none of its own, as {@code KafkaIntake.identity} of
   * {@code tidemark-kafka} has it: the ID that a sender of Tidemark gave it for this topic, else
   * topic, partition and offset; of a record that a {@code KafkaRedrive} put back, with the key and
   * the value that it had, those where it was first. So a record keeps its identity where it moves
   * from a group's consumer to a function. An ID for another topic, or without a topic, may have
   * been handed on: {@link #identityOfSent}.
   *
   * @param record a record
   * @return its identity
   */
  public static MessageId identity(KafkaEventRecord record) {
    return sentHere(record).map(MessageId::of).orElseGet(() -> firstPlace(record));
  }

  /**
   * As {@link #identity(KafkaEventRecord)}, but by the ID that a sender of Tidemark gave the record
   * for whatever topic, as {@code KafkaIntake.identityOfSent} of {@code tidemark-kafka} has it.
   * Right only where each record was made by such a sender, or is a copy of one record.
   *
   * @param record a record
   * @return its identity
   */
  public static MessageId identityOfSent(KafkaEventRecord record) {
    return text(record, Batch.SENT_ID).map(MessageId::of).orElseGet(() -> firstPlace(record));
  }

  private static Optional<String> sentHere(KafkaEventRecord record) {
    return text(record, Batch.DESTINATION)
        .filter(record.getTopic()::equals)
        .flatMap(here -> text(record, Batch.SENT_ID));
  }

  private static MessageId firstPlace(KafkaEventRecord record) {
    Optional<String> partition = text(record, FIRST_PARTITION);
    Optional<String> offset = text(record, FIRST_OFFSET);
    return isRedriven(record) && partition.isPresent() && offset.isPresent()
        ? MessageId.of("kafka", record.getTopic(), partition.get(), offset.get())
        : MessageId.of(
            "kafka", record.getTopic(), "" + record.getPartition(), "" + record.getOffset());
  }

  /**
   * As {@link #identity(KafkaEventRecord)}, in a cluster with a name, or in a topic that was
   * created anew, with a name for this creation, as {@code KafkaIntake.identity} of {@code
   * tidemark-kafka} has it: so two records of the same topic, partition and offset are not taken
   * for one.
   *
   * @param record a record
   * @param cluster names the cluster and, if need be, the topic's creation
   * @return its identity, which is another one for each name
   * @throws IllegalArgumentException if the name is empty
   */
  public static MessageId identity(KafkaEventRecord record, String cluster) {
    if (cluster.isEmpty()) {
      throw new IllegalArgumentException("the name of the cluster must not be empty");
    }
    MessageId plain = identity(record);
    return sentHere(record).isPresent()
        ? plain
        : MessageId.of("kafka-cluster", cluster, plain.value());
  }

  /**
   * When a record was first written, as {@code KafkaIntake.time} of {@code tidemark-kafka} has it:
   * its timestamp, and that of its first place where a {@code KafkaRedrive} put it back.
   *
   * @param record a record
   * @return its first timestamp
   */
  public static Instant time(KafkaEventRecord record) {
    Optional<String> first = text(record, FIRST_TIME);
    return Instant.ofEpochMilli(
        isRedriven(record) && first.isPresent()
            ? Long.parseLong(first.get())
            : record.getTimestamp());
  }

  /** Whether it was put back, and is not made of one by somebody who hands headers on. */
  private static boolean isRedriven(KafkaEventRecord record) {
    String known = text(record, DIGEST).orElse(""); // letters of earlier versions have none
    return text(record, FIRST_TOPIC).equals(Optional.of(record.getTopic()))
        && (known.isEmpty() || known.equals(digest(record)));
  }

  private static String digest(KafkaEventRecord record) {
    byte[] key = key(record).orElse(new byte[0]);
    byte[] value = value(record).orElse(new byte[0]);
    return UUID.nameUUIDFromBytes(
            ByteBuffer.allocate(Integer.BYTES + key.length + value.length)
                .putInt(key.length)
                .put(key)
                .put(value)
                .array())
        .toString();
  }

  private static Optional<String> text(KafkaEventRecord record, String header) {
    return header(record, header).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  private static List<KafkaEventRecord> records(KafkaEvent event) {
    if (event.getRecords() == null) {
      return Batch.named(null, "Kafka", KafkaBatch::partition);
    }
    List<KafkaEventRecord> all = new ArrayList<>();
    event
        .getRecords()
        .forEach(
            (partition, records) ->
                all.addAll(
                    Batch.named(
                        records,
                        "place in the partition " + partition,
                        record -> partition(record).equals(partition) ? partition : null)));
    return all;
  }

  private static String partition(KafkaEventRecord record) {
    return record.getTopic() + "-" + record.getPartition();
  }
}
