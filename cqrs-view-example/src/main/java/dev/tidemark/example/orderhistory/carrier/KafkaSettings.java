package dev.tidemark.example.orderhistory.carrier;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What Kafka's clients are told by {@link KafkaCarrier}. */
final class KafkaSettings {
  private KafkaSettings() {}

  static Map<String, Object> consumer(String bootstrapServers, String group) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("group.id", group);
    settings.put("enable.auto.commit", false);
    settings.put("auto.offset.reset", "earliest");
    settings.put("isolation.level", "read_committed");
    settings.put("allow.auto.create.topics", false);
    settings.put("partition.assignment.strategy", CooperativeStickyAssignor.class.getName());
    settings.put("key.deserializer", StringDeserializer.class.getName());
    settings.put("value.deserializer", ByteArrayDeserializer.class.getName());
    return settings;
  }

  /** A letter is given up, and its partition held back, long before the group loses patience. */
  static Map<String, Object> deadLetters(String bootstrapServers) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("acks", "all");
    settings.put("enable.idempotence", true);
    settings.put("linger.ms", 0);
    settings.put("max.block.ms", 10_000);
    settings.put("request.timeout.ms", 10_000);
    settings.put("delivery.timeout.ms", 20_000);
    settings.put("key.serializer", StringSerializer.class.getName());
    settings.put("value.serializer", ByteArraySerializer.class.getName());
    return settings;
  }
}
