package dev.tidemark.lambda;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records of a DynamoDB table's stream, as a Lambda function gets them.
 *
 * <p>The answer names the first record that is not done, and the mapping reads the shard again from
 * there: so nothing behind it is acknowledged, of whatever item. The decoder gets inserts, changes
 * and removals alike, those by TTL too; let the mapping filter what is no event ({@code
 * FilterCriteria}), or have the projector ignore what the decoder makes of it. See the package for
 * what all batches do. For any number of threads.
 */
public final class DynamoDbStreamBatch {
  private final Batch<DynamodbStreamRecord> batch;

  private DynamoDbStreamBatch(Batch<DynamodbStreamRecord> batch) {
    this.batch = batch;
  }

  /**
   * Records for a handler, without dead letters of the function's own: what cannot be handled holds
   * up its shard until the mapping gives it up.
   *
   * @param decoder makes deliveries of records
   * @param handler handles deliveries, as projectors do
   * @return a batch for all invocations of a function
   */
  public static DynamoDbStreamBatch of(
      Decoder<? super DynamodbStreamRecord> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return of(decoder, handler, intake -> {});
  }

  /**
   * Records for a handler, with settings of the intake: dead letters, patience, a listener.
   *
   * @param decoder makes deliveries of records
   * @param handler handles deliveries, as projectors do
   * @param settings sets what is needed; the lane is the stream, whatever it says of lanes
   * @return a batch for all invocations of a function
   */
  public static DynamoDbStreamBatch of(
      Decoder<? super DynamodbStreamRecord> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler,
      Consumer<? super IntakeBuilder<DynamodbStreamRecord>> settings) {
    return new DynamoDbStreamBatch(
        new Batch<>(
            record -> stream(record) + "@" + sequenceNumber(record),
            DynamoDbStreamBatch::stream,
            decoder,
            handler,
            settings));
  }

  /**
   * Handles an event whose mapping reports batch item failures. Behind any other mapping, use
   * {@link #handleOrThrow}.
   *
   * @param event as Lambda has it
   * @return the sequence number of the first record that is not done; nothing if all are
   * @throws IllegalArgumentException if records are missing, or one has no sequence number; nothing
   *     is handled then
   * @throws IllegalStateException if something is not done, and the event is of several streams
   * @throws RuntimeException what the handler itself threw, if nothing is done
   */
  public StreamsEventResponse handle(DynamodbEvent event) {
    List<DynamodbStreamRecord> records = records(event);
    return Checkpoint.answer(
        batch.undone(records).stream().map(DynamoDbStreamBatch::sequenceNumber).toList(),
        records.stream().map(DynamoDbStreamBatch::stream).collect(Collectors.toSet()));
  }

  /**
   * Handles an event whose mapping does not report batch item failures, so that all of it comes
   * again if anything is not done. A dead letter among it may then be kept again.
   *
   * @param event as Lambda has it
   * @throws IllegalArgumentException if records are missing, or one has no sequence number; nothing
   *     is handled then
   * @throws IllegalStateException if anything is not done
   */
  public void handleOrThrow(DynamodbEvent event) {
    batch.requireDone(records(event));
  }

  /**
   * The place of a record among the changes of its item: see {@link SourceEvent#dynamoDbStreams}.
   *
   * @param record a record of a stream
   * @return table's name, key and sequence number; a key of two attributes is both values, in the
   *     order of the attributes' names
   * @throws IllegalArgumentException if the record has no key, or no stream
   */
  public static SourceEvent place(DynamodbStreamRecord record) {
    Map<String, AttributeValue> keys = record.getDynamodb().getKeys();
    if (keys == null || keys.isEmpty()) {
      throw new IllegalArgumentException("the record has no key of its item");
    }
    List<String> values =
        new TreeMap<>(keys).values().stream().map(DynamoDbStreamBatch::text).toList();
    String key =
        values.size() == 1 ? values.get(0) : MessageId.of(values.get(0), values.get(1)).value();
    return SourceEvent.dynamoDbStreams(Arn.resource(stream(record)), key, sequenceNumber(record));
  }

  private static String text(AttributeValue value) {
    if (value.getS() != null) {
      return value.getS();
    }
    if (value.getN() != null) {
      return value.getN();
    }
    return HexFormat.of().formatHex(Bytes.of(value.getB()));
  }

  private static List<DynamodbStreamRecord> records(DynamodbEvent event) {
    var named =
        Batch.named(event.getRecords(), "sequence number", DynamoDbStreamBatch::numberOrNull);
    var records = Batch.named(named, "ARN of its stream", DynamodbStreamRecord::getEventSourceARN);
    records.forEach(record -> Checkpoint.requireNumber(sequenceNumber(record)));
    return records;
  }

  private static @Nullable String numberOrNull(DynamodbStreamRecord record) {
    return record.getDynamodb() == null ? null : record.getDynamodb().getSequenceNumber();
  }

  private static String sequenceNumber(DynamodbStreamRecord record) {
    return record.getDynamodb().getSequenceNumber();
  }

  private static String stream(DynamodbStreamRecord record) {
    return record.getEventSourceARN();
  }
}
