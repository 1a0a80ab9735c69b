package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.carrier.KafkaCarrier;
import dev.tidemark.example.orderhistory.host.OpenCarrier.PausedLane;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;

/** Opens the Kafka carrier with a consumer and a producer of its own, and the consumer's meters. */
final class OpenKafka {
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private OpenKafka() {}

  /** Reads the settings now, and connects with each attempt. */
  static Supplier<OpenCarrier> with(
      Settings settings, BatchWatch watch, MeterRegistry registry, Clock clock) {
    String servers = settings.get(Setting.KAFKA_BOOTSTRAP_SERVERS);
    String group = settings.get(Setting.KAFKA_GROUP, "order-history");
    List<String> topics = settings.list(Setting.KAFKA_TOPICS, "orders,tickets,deliveries");
    String dead = settings.get(Setting.KAFKA_DEAD_LETTER_TOPIC, "order-history-dead-letters");
    return () -> {
      Producer<String, byte[]> producer =
          new KafkaProducer<>(KafkaCarrier.deadLetterSettings(servers));
      Consumer<String, byte[]> consumer =
          new KafkaConsumer<>(KafkaCarrier.settings(servers, group));
      KafkaClientMetrics meters = new KafkaClientMetrics(consumer);
      meters.bindTo(registry);
      KafkaCarrier carrier = new KafkaCarrier(consumer, topics, producer, dead, watch, clock);
      return new OpenCarrier(
          carrier,
          () -> lanes(carrier),
          () -> { // the carrier closes the clients itself, unless it did not come to run
            meters.close();
            consumer.close(CloseOptions.timeout(CLOSE));
            producer.close(CLOSE);
          });
    };
  }

  private static List<PausedLane> lanes(KafkaCarrier carrier) {
    return carrier.paused().stream()
        .map(p -> new PausedLane(p.partition().toString(), p.reason(), p.since()))
        .toList();
  }
}
