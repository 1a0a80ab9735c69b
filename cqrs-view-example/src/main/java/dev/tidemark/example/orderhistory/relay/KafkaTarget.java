package dev.tidemark.example.orderhistory.relay;

import dev.tidemark.kafka.KafkaSender;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends to one topic of Kafka. A producer that says that it is of no use any more is replaced
 * before the next call. Kafka's clients are loaded only where there is one. For any number of
 * threads.
 */
final class KafkaTarget implements Sender, AutoCloseable {
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final String bootstrapServers;
  private final String topic;
  private @Nullable Producer<String, byte[]> producer;

  KafkaTarget(String bootstrapServers, String topic) {
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
    this.producer = producer();
  }

  private Producer<String, byte[]> producer() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("linger.ms", 0);
    settings.put("max.block.ms", 2_000);
    settings.put("request.timeout.ms", 3_000);
    settings.put("delivery.timeout.ms", 4_000);
    settings.put("key.serializer", StringSerializer.class.getName());
    settings.put("value.serializer", ByteArraySerializer.class.getName());
    return new KafkaProducer<>(KafkaSender.requireSafe(settings));
  }

  @Override
  public List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    Producer<String, byte[]> live = live();
    List<Sent> answers = KafkaSender.of(live, this::record).send(messages);
    if (answers.stream().anyMatch(KafkaTarget::isFatal)) { // as it says of itself
      close();
    }
    return answers;
  }

  private static boolean isFatal(Sent answer) {
    return answer instanceof Sent.Failed failed && failed.error() instanceof IllegalStateException;
  }

  private synchronized Producer<String, byte[]> live() {
    Producer<String, byte[]> live = producer == null ? producer() : producer;
    producer = live;
    return live;
  }

  private ProducerRecord<String, byte[]> record(OutboxMessage outgoing) {
    var message = outgoing.message();
    return new ProducerRecord<>(topic, message.key().orElse(null), message.bytes());
  }

  @Override
  public synchronized void close() {
    if (producer != null) {
      producer.close(CLOSE);
      producer = null;
    }
  }
}
