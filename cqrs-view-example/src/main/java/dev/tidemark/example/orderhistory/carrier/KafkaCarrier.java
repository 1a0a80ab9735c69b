package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.spring.KafkaIntakeListener;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Brings events from Kafka to the views, as a member of a consumer group, where {@code CARRIER} is
 * {@code kafka}. Poison goes to a topic of dead letters. Kafka's clients are set by Spring Boot, in
 * {@code application.properties}.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "CARRIER", havingValue = "kafka")
@Import({Intakes.class, Restarts.class})
class KafkaCarrier {
  private final KafkaIntakeListener<String, byte[]> events;

  KafkaCarrier(
      Settings settings,
      Function<List<Delivery>, BatchOutcome<?>> handler,
      ProducerFactory<String, byte[]> producers,
      Intakes intakes) {
    var letters = KafkaDeadLetters.of(producers.createProducer(), settings.kafkaDeadLetterTopic());
    var intake =
        KafkaIntakeListener.<String, byte[]>builder(
                record -> EventJson.decode(record.value()).delivery(), handler)
            .deadLetters(letters);
    events = KafkaIntakeListener.of(intakes.set(intake).build());
  }

  @KafkaListener(
      id = "kafka",
      idIsGroup = false,
      topics = "#{'${KAFKA_TOPICS:orders,tickets,deliveries}'.split(',')}",
      containerFactory = KafkaIntakeListener.FACTORY)
  void take(List<ConsumerRecord<String, byte[]>> records) {
    events.take(records);
  }

  /** Partitions that wait are no reason to take the service out of use: the others go on. */
  @Bean
  static HealthIndicator carrier(KafkaListenerEndpointRegistry listeners) {
    return () -> {
      var listener = Objects.requireNonNull(listeners.getListenerContainer("kafka"));
      Collection<TopicPartition> assigned =
          Objects.requireNonNullElse(listener.getAssignedPartitions(), List.of());
      List<String> waiting =
          assigned.stream()
              .filter(listener::isPartitionPaused)
              .map(TopicPartition::toString)
              .sorted()
              .toList();
      return (listener.isRunning() ? Health.up() : Health.down())
          .withDetail("waiting", waiting)
          .build();
    };
  }
}
