package dev.tidemark.example.orderhistory.relay;

import dev.tidemark.kafka.KafkaSender;
import dev.tidemark.kafka.RenewingKafkaSender;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** One topic of Kafka. Kafka's clients are loaded only where there is one. */
final class KafkaTarget {
  private KafkaTarget() {}

  static RenewingKafkaSender of(String bootstrapServers, String topic) {
    Map<String, Object> settings =
        KafkaSender.requireSafe(
            Map.of(
                "bootstrap.servers", bootstrapServers,
                "linger.ms", 0,
                "max.block.ms", 2_000,
                "request.timeout.ms", 3_000,
                "delivery.timeout.ms", 4_000,
                "key.serializer", StringSerializer.class,
                "value.serializer", ByteArraySerializer.class));
    return RenewingKafkaSender.of(
        () -> new KafkaProducer<String, byte[]>(settings),
        outgoing -> {
          var message = outgoing.message();
          return new ProducerRecord<>(topic, message.key().orElse(null), message.bytes());
        });
  }
}
