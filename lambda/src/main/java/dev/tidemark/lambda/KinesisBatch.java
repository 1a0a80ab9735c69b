package dev.tidemark.lambda;

import com.amazonaws.services.lambda.runtime.events.KinesisEvent;
import com.amazonaws.services.lambda.runtime.events.KinesisEvent.KinesisEventRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records of a Kinesis stream, as a Lambda function gets them.
 *
 * <p>The answer names the first record that is not done, and the mapping reads the shard again from
 * there: so nothing behind it is acknowledged, of whatever partition key.
 *
 * <p><b>Aggregated records.</b> The producer library puts many user records into one, and Lambda
 * does not take them apart. An event with such a record is refused with an exception, before
 * anything of it is handled, unless the batch was told by {@link #splitting} how to take records
 * apart. All parts of a record have its sequence number: it is acknowledged once all of them are
 * done, and those that are done are duplicates when it comes again.
 *
 * <p>See the package for what all batches do. For any number of threads.
 */
public final class KinesisBatch {
  private final Batch<KinesisRecord> batch;
  private final Function<? super KinesisEventRecord, List<KinesisRecord>> split;

  private KinesisBatch(
      Batch<KinesisRecord> batch, Function<? super KinesisEventRecord, List<KinesisRecord>> split) {
    this.batch = batch;
    this.split = split;
  }

  /**
   * Records for a handler, without dead letters of the function's own: what cannot be handled holds
   * up its shard until the mapping gives it up.
   *
   * @param decoder makes deliveries of records
   * @param handler handles deliveries, as projectors do
   * @return a batch for all invocations of a function
   */
  public static KinesisBatch of(
      Decoder<? super KinesisRecord> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return of(decoder, handler, intake -> {});
  }

  /**
   * Records for a handler, with settings of the intake: dead letters, patience, a listener.
   *
   * @param decoder makes deliveries of records
   * @param handler handles deliveries, as projectors do
   * @param settings sets what is needed; the lane is the shard, whatever it says of lanes
   * @return a batch for all invocations of a function
   */
  public static KinesisBatch of(
      Decoder<? super KinesisRecord> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler,
      Consumer<? super IntakeBuilder<KinesisRecord>> settings) {
    return new KinesisBatch(
        new Batch<>(KinesisRecord::id, KinesisRecord::shard, decoder, handler, settings),
        Aggregate::refused);
  }

  /**
   * The same batch for records that the producer library may have aggregated.
   *
   * @param split takes a record apart, in order, by a library of the caller's choice; gives {@link
   *     KinesisRecord#of} for one that was not aggregated, or cannot be taken apart, so that it is
   *     the decoder's to refuse; a record without parts is done. What it throws is thrown, and all
   *     of the event comes again
   * @return a batch that does so
   */
  public KinesisBatch splitting(Function<? super KinesisEventRecord, List<KinesisRecord>> split) {
    return new KinesisBatch(batch, Objects.requireNonNull(split, "split"));
  }

  /**
   * Handles an event whose mapping reports batch item failures. Behind any other mapping, use
   * {@link #handleOrThrow}.
   *
   * @param event as Lambda has it
   * @return the sequence number of the first record that is not done; nothing if all are
   * @throws IllegalArgumentException if records are missing, or one has no sequence number; nothing
   *     is handled then
   * @throws IllegalStateException if a record is aggregated and the batch cannot take it apart;
   *     nothing is handled then. Or if something is not done, and the event is of several shards
   * @throws RuntimeException what the handler itself threw, if nothing is done
   */
  public StreamsEventResponse handle(KinesisEvent event) {
    List<KinesisRecord> records = records(event);
    return Checkpoint.answer(
        batch.undone(records).stream()
            .map(record -> record.carrier().getKinesis().getSequenceNumber())
            .toList(),
        event.getRecords().stream().map(KinesisRecord::shard).collect(Collectors.toSet()));
  }

  /**
   * Handles an event whose mapping does not report batch item failures, so that all of it comes
   * again if anything is not done. A dead letter among it may then be kept again.
   *
   * @param event as Lambda has it
   * @throws IllegalArgumentException if records are missing, or one has no sequence number; nothing
   *     is handled then
   * @throws IllegalStateException if anything is not done, or a record is aggregated and the batch
   *     cannot take it apart
   */
  public void handleOrThrow(KinesisEvent event) {
    batch.requireDone(records(event));
  }

  private List<KinesisRecord> records(KinesisEvent event) {
    var named = Batch.named(event.getRecords(), "sequence number", KinesisBatch::numberOrNull);
    var records = Batch.named(named, "ARN of its stream", KinesisEventRecord::getEventSourceARN);
    records.forEach(r -> Checkpoint.requireNumber(r.getKinesis().getSequenceNumber()));
    return records.stream().flatMap(record -> split.apply(record).stream()).toList();
  }

  private static @Nullable String numberOrNull(KinesisEventRecord record) {
    return record.getKinesis() == null || record.getKinesis().getData() == null
        ? null
        : record.getKinesis().getSequenceNumber();
  }
}
