package dev.tidemark;

import java.util.Locale;

/**
 * A message with a place in an ordered source. Nothing about it is stored but the position, in the
 * mark of its source.
 *
 * @param source where the event comes from
 * @param position its place there
 */
public record SourceEvent(Source source, Position position) implements Message {
  private static final int FIFO_WIDTH = 39;
  private static final int STREAMS_WIDTH = 40;
  private static final int KINESIS_WIDTH = 56;
  private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  /**
   * An event of an aggregate with its version.
   *
   * @param type the aggregate's type
   * @param id the aggregate's id
   * @param version the version that this event gave the aggregate, 0 or more
   * @return the event
   * @throws IllegalArgumentException if the version is negative
   */
  public static SourceEvent of(String type, String id, long version) {
    return of(Source.of(type, id), notNegative("version", version));
  }

  /**
   * An event of any source.
   *
   * @param source the source, with its generation
   * @param position the place of the event
   * @return the event
   */
  public static SourceEvent of(Source source, Position position) {
    return new SourceEvent(source, position);
  }

  /**
   * A record of a Kafka topic. It survives redelivery and rebalance, but not a producer's own retry
   * of a message (another offset) nor a repartitioning (another partition); a mirror in another
   * cluster is another source.
   *
   * @param cluster a stable name of the cluster; empty where there is only ever one
   * @param topic the topic
   * @param partition 0 or more
   * @param offset 0 or more
   * @return the event
   * @throws IllegalArgumentException if the topic is empty, or a number negative
   */
  public static SourceEvent kafka(String cluster, String topic, int partition, long offset) {
    return of(Source.kafka(cluster, topic, partition), notNegative("Kafka offset", offset));
  }

  /**
   * A record of a Kafka topic where there is only ever one cluster.
   *
   * @param topic the topic
   * @param partition 0 or more
   * @param offset 0 or more
   * @return the event
   * @throws IllegalArgumentException if the topic is empty, or a number negative
   */
  public static SourceEvent kafka(String topic, int partition, long offset) {
    return kafka("", topic, partition, offset);
  }

  /**
   * A message of an SQS FIFO queue, by message group and sequence number.
   *
   * @param queue the queue's name
   * @param messageGroupId the group
   * @param sequenceNumber 1 to 39 digits; kept as a string padded to 39
   * @return the event
   * @throws IllegalArgumentException if the queue or group is empty, or the number is not digits
   */
  public static SourceEvent sqsFifo(String queue, String messageGroupId, String sequenceNumber) {
    Text.notEmpty("SQS queue", queue);
    Text.notEmpty("SQS message group id", messageGroupId);
    String padded = Text.digits("SQS sequence number", sequenceNumber, FIFO_WIDTH);
    return of(Source.of(queue, messageGroupId), Position.ofText(padded));
  }

  /**
   * A record of DynamoDB Streams, in the order of the item that changed.
   *
   * @param table the table's name
   * @param itemKey the key of the changed item, in one string
   * @param sequenceNumber 1 to 40 digits; kept as a string padded to 40
   * @return the event
   * @throws IllegalArgumentException if the table is empty or the number is not digits
   */
  public static SourceEvent dynamoDbStreams(String table, String itemKey, String sequenceNumber) {
    Text.notEmpty("DynamoDB table", table);
    String padded = Text.digits("DynamoDB Streams sequence number", sequenceNumber, STREAMS_WIDTH);
    return of(Source.of(table, itemKey), Position.ofText(padded));
  }

  /**
   * A record of a Kinesis stream, in the order of its partition key.
   *
   * @param stream the stream's name
   * @param partitionKey the record's partition key
   * @param sequenceNumber 1 to 56 digits; kept as a string padded to 56
   * @return the event
   * @throws IllegalArgumentException if the stream is empty or the number is not digits
   */
  public static SourceEvent kinesis(String stream, String partitionKey, String sequenceNumber) {
    Text.notEmpty("Kinesis stream", stream);
    String padded = Text.digits("Kinesis sequence number", sequenceNumber, KINESIS_WIDTH);
    return of(Source.of(stream, partitionKey), Position.ofText(padded));
  }

  /**
   * An event whose place is a ULID that its source makes in ascending order.
   *
   * @param type the aggregate's type
   * @param id the aggregate's id
   * @param ulid 26 characters of Crockford's base 32, in upper or lower case
   * @return the event
   * @throws IllegalArgumentException if it is not a ULID
   */
  public static SourceEvent ulid(String type, String id, String ulid) {
    String upper = ulid.toUpperCase(Locale.ROOT);
    boolean valid = upper.length() == 26 && upper.charAt(0) <= '7';
    if (!valid || !upper.chars().allMatch(c -> CROCKFORD.indexOf(c) >= 0)) {
      throw new IllegalArgumentException(
          "ULID must be 26 characters of Crockford's base 32, was '" + Text.shown(ulid) + "'");
    }
    return of(Source.of(type, id), Position.ofText(upper));
  }

  private static Position notNegative(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + " must be 0 or more, was " + value);
    }
    return Position.of(value);
  }
}
