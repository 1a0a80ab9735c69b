package dev.tidemark.kafka;

import dev.tidemark.outbox.Sent;
import java.util.List;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What Kafka's answer for a record says of a message, by the error's class. */
final class Answers {
  /** What Kafka refuses a record for, whatever else goes on. */
  private static final List<Class<? extends Exception>> OF_RECORD =
      List.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          SerializationException.class,
          InvalidRecordException.class,
          InvalidTimestampException.class,
          InvalidTopicException.class);

  /**
   * What another try may mend, and what the producer itself, or the way to Kafka, is to blame for.
   */
  private static final List<Class<? extends Exception>> PASSING =
      List.of(
          RetriableException.class,
          OutOfOrderSequenceException.class,
          AuthenticationException.class,
          DeadProducerException.class);

  /** What Kafka calls retriable, and may last: a topic that nobody makes, a broken record. */
  private static final List<Class<? extends Exception>> LASTING =
      List.of(UnknownTopicOrPartitionException.class, CorruptRecordException.class);

  private Answers() {}

  /** The answer for a record that was not taken. */
  static Sent failed(Throwable error) {
    Exception told = FatalStates.told(error);
    if (isOne(told, OF_RECORD)) {
      return Sent.rejected(told);
    }
    boolean isPassing = isOne(told, PASSING) && !isLasting(told);
    return isPassing ? Sent.deferred(told) : Sent.failed(told);
  }

  /** The answer for a record whose place the broker has told, or should have. */
  static Sent of(RecordMetadata place) {
    return place.hasOffset()
        ? Sent.taken().at(place.topic(), place.topic() + "-" + place.partition())
        : Sent.failed(
                new IllegalStateException(
                    "the broker has told no offset, so nobody knows that it has the message: the"
                        + " producer needs acks=all"))
            .at(place.topic());
  }

  /**
   * Whether Kafka will not take this record as long as nobody changes it, or the topic: too large,
   * not allowed, without a topic.
   */
  static boolean isLasting(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (isOne(e, LASTING)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the record is to blame, as {@link Sent#rejected} has it. */
  static boolean isOfRecord(Throwable error) {
    return isOne(error, OF_RECORD);
  }

  private static boolean isOne(Throwable error, List<Class<? extends Exception>> types) {
    return types.stream().anyMatch(type -> type.isInstance(error));
  }
}
