package dev.tidemark.example.orderhistory.carrier;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends poison to a topic: the record as it was, with headers that say why and where it came from.
 * After a crash a letter may be sent again; topic, partition and offset tell. For one thread.
 */
final class DeadLetterTopic implements BiConsumer<ConsumerRecord<String, byte[]>, String> {
  static final String REASON = "dead-letter.reason";
  static final String TOPIC = "dead-letter.topic";
  static final String PARTITION = "dead-letter.partition";
  static final String OFFSET = "dead-letter.offset";

  private static final Logger LOG = LoggerFactory.getLogger(KafkaCarrier.class);

  private final Producer<String, byte[]> producer;
  private final String topic;

  DeadLetterTopic(Producer<String, byte[]> producer, String topic) {
    this.producer = producer;
    this.topic = topic;
  }

  /** Returns once the brokers have the letter; throws if they do not. */
  @Override
  public void accept(ConsumerRecord<String, byte[]> record, String reason) {
    ProducerRecord<String, byte[]> letter =
        new ProducerRecord<>(topic, null, record.key(), record.value(), record.headers());
    Map.of(
            REASON, reason,
            TOPIC, record.topic(),
            PARTITION, Integer.toString(record.partition()),
            OFFSET, Long.toString(record.offset()))
        .forEach(
            (name, value) ->
                letter.headers().remove(name).add(name, value.getBytes(StandardCharsets.UTF_8)));
    await(producer.send(letter));
    LOG.warn(
        "dead letter: {}-{} at offset {}: {}",
        record.topic(),
        record.partition(),
        record.offset(),
        reason);
  }

  private static void await(Future<?> sent) {
    try {
      var unused = sent.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException fault ? fault : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e); // interrupts the thread again
    }
  }

  /** Throws what another attempt would not mend: this client may not write, or is to end. */
  static void throwIfFatal(RuntimeException e) {
    if (e instanceof InterruptException
        || e instanceof AuthenticationException
        || e instanceof AuthorizationException) {
      throw e;
    }
  }
}
