package dev.tidemark.example.orderhistory.carrier;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends poison to a topic: the record as it was, with headers that say why and where it came from.
 * After a crash a letter may be sent again; topic, partition and offset tell. A record that leaves
 * no room for them is kept without its value, which is where they say. For one thread.
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
    try {
      send(letter(record, record.value(), reason));
    } catch (RecordTooLargeException e) {
      send(letter(record, null, reason + "; too large to be kept here"));
    }
    LOG.error(
        "dead letter: {}-{} at offset {}: {}",
        record.topic(),
        record.partition(),
        record.offset(),
        reason);
  }

  private ProducerRecord<String, byte[]> letter(
      ConsumerRecord<String, byte[]> record, byte @Nullable [] value, String reason) {
    ProducerRecord<String, byte[]> letter =
        new ProducerRecord<>(topic, null, record.key(), value, record.headers());
    Map.of(
            REASON, reason,
            TOPIC, record.topic(),
            PARTITION, Integer.toString(record.partition()),
            OFFSET, Long.toString(record.offset()))
        .forEach(
            (name, text) ->
                letter.headers().remove(name).add(name, text.getBytes(StandardCharsets.UTF_8)));
    return letter;
  }

  private void send(ProducerRecord<String, byte[]> letter) {
    try {
      var unused = producer.send(letter).get();
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
