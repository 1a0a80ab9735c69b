package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.util.Locale;

/**
 * A message with a place in an ordered source. Only the position of the message is stored, in the
 * mark of its source.
 *
 * @param source where the event comes from
 * @param position its place there
 */
public record SourceEvent(Source source, Position position) implements Message {
  /**
   * Checks that nothing is missing.
   *
   * @param source where the event comes from
   * @param position its place there
   */
  public SourceEvent {
    Text.given("source of an event", source);
    Text.given("position of an event of " + source, position);
  }

  private static final int FIFO_WIDTH = 39;
  private static final int STREAMS_WIDTH = 40;
  private static final int KINESIS_WIDTH = 56;
  private static final int LONG_WIDTH = 19;
  private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  /**
   * An event of an aggregate with its version.
   *
   * @param type the aggregate's type
   * @param id the aggregate's id
   * @param version the version that this event gave the aggregate, 0 or more
   * @return the event
   * @throws IllegalArgumentException if type or id is empty, the type starts with a carrier's kind,
   *     or the version is negative
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
   * Whether this event comes after another one of its source: in a later generation, or at a higher
   * position of the same.
   *
   * @param other an event of the same source
   * @return true also where the two positions do not compare
   */
  public boolean isLaterThan(SourceEvent other) {
    int generations = Long.compare(source.generation(), other.source.generation());
    return generations != 0
        ? generations > 0
        : !position.comparesTo(other.position) || position.compareTo(other.position) > 0;
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
   * @param queue the queue's name, or its ARN, as in {@link Source#sqsFifo}
   * @param messageGroupId the group
   * @param sequenceNumber 1 to 39 digits; kept as a string padded to 39
   * @return the event
   * @throws IllegalArgumentException if the queue or group is empty, or the number is not digits
   */
  public static SourceEvent sqsFifo(String queue, String messageGroupId, String sequenceNumber) {
    Source source = Source.sqsFifo(queue, messageGroupId);
    return of(
        source, Position.ofText(Text.digits("SQS sequence number", sequenceNumber, FIFO_WIDTH)));
  }

  /**
   * A record of DynamoDB Streams, in the order of the item that changed.
   *
   * @param table the table's name, or its ARN, as in {@link Source#dynamoDbStreams}
   * @param itemKey the key of the changed item, in one string
   * @param sequenceNumber 1 to 40 digits; kept as a string padded to 40
   * @return the event
   * @throws IllegalArgumentException if the table or key is empty, or the number is not digits
   */
  public static SourceEvent dynamoDbStreams(String table, String itemKey, String sequenceNumber) {
    Source source = Source.dynamoDbStreams(table, itemKey);
    String padded = Text.digits("DynamoDB Streams sequence number", sequenceNumber, STREAMS_WIDTH);
    return of(source, Position.ofText(padded));
  }

  /**
   * A user's record of a Kinesis stream, in the order of its partition key. Records that the
   * producer library aggregated share one sequence number, and only their sub-sequence numbers tell
   * them apart.
   *
   * @param stream the stream's name, or its ARN, as in {@link Source#kinesis}
   * @param partitionKey the record's partition key
   * @param sequenceNumber 1 to 56 digits
   * @param subSequenceNumber the record's place in its aggregate, which the client library tells; 0
   *     for one that was not aggregated
   * @return the event, its position both numbers, padded to 56 and 19 digits, with a dot between
   * @throws IllegalArgumentException if the stream or partition key is empty, the sequence number
   *     is not digits, or the sub-sequence number is negative
   */
  public static SourceEvent kinesis(
      String stream, String partitionKey, String sequenceNumber, long subSequenceNumber) {
    Source source = Source.kinesis(stream, partitionKey);
    String number = Text.digits("Kinesis sequence number", sequenceNumber, KINESIS_WIDTH);
    Position sub = notNegative("Kinesis sub-sequence number", subSequenceNumber);
    String place = Text.digits("Kinesis sub-sequence number", sub.toString(), LONG_WIDTH);
    return of(source, Position.ofText(number + "." + place));
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
    String upper = Text.given("ULID", ulid).toUpperCase(Locale.ROOT);
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
