package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.spring.KafkaIntakeListener;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
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
      Function<List<Delivery>, BatchOutcome<?>> handler,
      ProducerFactory<String, byte[]> producers,
      @Value("${KAFKA_BOOTSTRAP_SERVERS}") String unusedServers, // refused by name if missing
      @Value("${KAFKA_DEAD_LETTER_TOPIC:order-history-dead-letters}") String deadLetterTopic,
      Intakes intakes) {
    var intake =
        KafkaIntakeListener.<String, byte[]>builder(
                record -> EventJson.decode(record.value()).delivery(), handler)
            .deadLetters(KafkaDeadLetters.of(producers.createProducer(), deadLetterTopic));
    events = KafkaIntakeListener.of(intakes.set(intake).build());
  }

  @KafkaListener(
      id = "kafka",
      idIsGroup = false,
      topics = "#{'${KAFKA_TOPICS:orders,tickets,deliveries}'.split(',')}",
      properties = "bootstrap.servers=${KAFKA_BOOTSTRAP_SERVERS}",
      containerFactory = KafkaIntakeListener.FACTORY)
  void take(List<ConsumerRecord<String, byte[]>> records) {
    events.take(records);
  }
}
