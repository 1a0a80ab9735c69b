package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.util.List;

/**
 * An ordered source of events: an aggregate, by type and id, or one of a carrier's, such as a
 * topic's partition. The type of a carrier's source starts with the carrier's kind, so that the
 * topic {@code Order} is never taken for the aggregate type {@code Order}; policies are chosen by
 * that whole type, {@code @Events(type = Source.KAFKA + "orders")}.
 *
 * <p>A source may carry a generation, which is compared before the position: raise it where
 * positions start again, as for a topic that was created anew or an aggregate restored from a
 * backup. An entity keeps one mark per source, that of its highest generation.
 *
 * @param type the aggregate's type, or the carrier's kind and the name of its topic, queue, table
 *     or stream; as it is stored, before encoding
 * @param id the aggregate's id, or the part of the carrier that is in order
 * @param generation 0 where positions never started again
 */
public record Source(String type, String id, long generation) {
  /** What the types of Kafka's topics start with. */
  public static final String KAFKA = "kafka:";

  /** What the types of SQS FIFO queues start with. */
  public static final String SQS_FIFO = "sqs-fifo:";

  /** What the types of DynamoDB Streams start with. */
  public static final String DYNAMODB_STREAMS = "dynamodb-streams:";

  /** What the types of Kinesis streams start with. */
  public static final String KINESIS = "kinesis:";

  private static final List<String> KINDS = List.of(KAFKA, SQS_FIFO, DYNAMODB_STREAMS, KINESIS);

  /**
   * Checks the parts.
   *
   * @param type the aggregate's type, or the topic; policies can be chosen by it
   * @param id the aggregate's id, or the partition
   * @param generation 0 where positions never started again
   * @throws IllegalArgumentException if type or id is empty, longer than 8,192 characters, or has a
   *     lone surrogate, or the generation is negative
   */
  public Source {
    Text.identity("source type", type);
    Text.identity("source id", id);
    if (generation < 0) {
      throw new IllegalArgumentException("source generation must be 0 or more, was " + generation);
    }
  }

  /**
   * An aggregate, or any other source that is not a carrier's, of generation 0.
   *
   * @param type the aggregate's type
   * @param id the aggregate's id
   * @return the source
   * @throws IllegalArgumentException if type or id is empty, or the type starts with a carrier's
   *     kind
   */
  public static Source of(String type, String id) {
    for (String kind : KINDS) {
      if (Text.given("source type", type).startsWith(kind)) {
        throw new IllegalArgumentException(
            "source type '"
                + Text.shown(type)
                + "' starts with '"
                + kind
                + "', the kind of a carrier; use the carrier's own factory");
      }
    }
    return new Source(type, id, 0);
  }

  /**
   * A partition of a Kafka topic in one cluster: the type is the topic behind {@value #KAFKA}, the
   * id names cluster and partition.
   *
   * @param cluster a stable name of the cluster, so that a failover to a mirror, where offsets
   *     differ, is another source; empty where there is only ever one
   * @param topic the topic
   * @param partition 0 or more
   * @return the source
   * @throws IllegalArgumentException if the topic is empty or the partition negative
   */
  public static Source kafka(String cluster, String topic, int partition) {
    Text.wellFormed("Kafka cluster", cluster);
    if (partition < 0) {
      throw new IllegalArgumentException("Kafka partition must be 0 or more, was " + partition);
    }
    String number = Integer.toString(partition);
    return new Source(
        KAFKA + Text.notEmpty("Kafka topic", topic),
        cluster.isEmpty() ? number : Text.join(List.of(cluster, number)),
        0);
  }

  /**
   * A message group of an SQS FIFO queue: the type is the queue behind {@value #SQS_FIFO}.
   *
   * @param queue the queue's name; its ARN where queues of one name in several regions or accounts
   *     reach one entity. The two are two sources: do not change from one to the other
   * @param messageGroupId the group
   * @return the source
   * @throws IllegalArgumentException if the queue or group is empty
   */
  public static Source sqsFifo(String queue, String messageGroupId) {
    String id = Text.notEmpty("SQS message group id", messageGroupId);
    return new Source(SQS_FIFO + Text.notEmpty("SQS queue", queue), id, 0);
  }

  /**
   * An item whose changes DynamoDB Streams carries: the type is the table behind {@value
   * #DYNAMODB_STREAMS}.
   *
   * @param table the table's name; its ARN where tables of one name in several regions or accounts
   *     reach one entity. The two are two sources
   * @param itemKey the key of the changed item, in one string
   * @return the source
   * @throws IllegalArgumentException if the table or key is empty
   */
  public static Source dynamoDbStreams(String table, String itemKey) {
    String id = Text.notEmpty("DynamoDB item key", itemKey);
    return new Source(DYNAMODB_STREAMS + Text.notEmpty("DynamoDB table", table), id, 0);
  }

  /**
   * A partition key of a Kinesis stream: the type is the stream behind {@value #KINESIS}.
   *
   * @param stream the stream's name; its ARN where streams of one name in several regions or
   *     accounts reach one entity. The two are two sources
   * @param partitionKey the partition key of the user's record
   * @return the source
   * @throws IllegalArgumentException if the stream or partition key is empty
   */
  public static Source kinesis(String stream, String partitionKey) {
    String id = Text.notEmpty("Kinesis partition key", partitionKey);
    return new Source(KINESIS + Text.notEmpty("Kinesis stream", stream), id, 0);
  }

  /**
   * The same source in another generation.
   *
   * @param generation 0 or more; a higher one starts a new mark, a lower one is stale
   * @return the source
   */
  public Source generation(long generation) {
    return generation == this.generation ? this : new Source(type, id, generation);
  }

  /** Names the source, type and id cut at 64 characters each. */
  @Override
  public String toString() {
    String at = generation == 0 ? "" : ", generation " + generation;
    return "Source[" + Text.shown(type) + ", " + Text.shown(id) + at + "]";
  }
}
