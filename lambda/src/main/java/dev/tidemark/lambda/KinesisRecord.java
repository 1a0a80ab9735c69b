package dev.tidemark.lambda;

import com.amazonaws.services.lambda.runtime.events.KinesisEvent.KinesisEventRecord;
import dev.tidemark.SourceEvent;
import java.nio.ByteBuffer;

/**
 * A user's record of a Kinesis stream: a record of an event, or a part of one that the producer
 * library aggregated.
 *
 * @param carrier the record of the event
 * @param partitionKey the partition key of the user's record
 * @param subSequenceNumber the place in the aggregate; 0 for a record that was not aggregated
 * @param data what the producer sent
 */
public record KinesisRecord(
    KinesisEventRecord carrier, String partitionKey, long subSequenceNumber, ByteBuffer data) {
  /**
   * A record that was not aggregated.
   *
   * @param carrier the record of the event
   * @return the same as the user's record
   */
  public static KinesisRecord of(KinesisEventRecord carrier) {
    return new KinesisRecord(
        carrier, carrier.getKinesis().getPartitionKey(), 0, carrier.getKinesis().getData());
  }

  /**
   * What the producer sent, as decoders want it.
   *
   * @return a copy of all bytes
   */
  public byte[] bytes() {
    return Bytes.of(data);
  }

  /**
   * The place of the record behind its partition key: see {@link SourceEvent#kinesis}.
   *
   * @return stream's name, partition key, sequence number and sub-sequence number
   */
  public SourceEvent place() {
    return SourceEvent.kinesis(
        Arn.resource(carrier.getEventSourceARN()),
        partitionKey,
        carrier.getKinesis().getSequenceNumber(),
        subSequenceNumber);
  }

  /** Names the place in the stream, not the data. */
  @Override
  public String toString() {
    return "KinesisRecord[" + id() + "]";
  }

  String id() {
    return carrier.getEventSourceARN()
        + "@"
        + carrier.getKinesis().getSequenceNumber()
        + "."
        + subSequenceNumber;
  }

  /** Stream and shard, which an event's ID starts with. */
  String shard() {
    return shard(carrier);
  }

  static String shard(KinesisEventRecord carrier) {
    String id = carrier.getEventID();
    int end = id == null ? -1 : id.indexOf(':');
    return carrier.getEventSourceARN() + "/" + (end < 0 ? "" : id.substring(0, end));
  }
}
