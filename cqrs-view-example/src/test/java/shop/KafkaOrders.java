// snippet: start-kafka
package shop;

import dev.tidemark.intake.Intake;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.kafka.KafkaIntake;
import dev.tidemark.kafka.KafkaIntakeLoop;
import dev.tidemark.projector.Projector;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.StringDeserializer;

public record KafkaOrders(Projector<?> projector, Producer<String, String> letters) {
  public KafkaIntakeLoop<String, String> loop(String topic, Map<String, Object> settings) {
    Intake<ConsumerRecord<String, String>> intake =
        KafkaIntake.<String, String>builder(
                record -> OrderEvent.parse(record.value()).delivery(), projector::handle)
            .deadLetters(KafkaDeadLetters.of(letters, topic + "-dead-letters"))
            .build();
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            KafkaIntake.requireSafe(settings), new StringDeserializer(), new StringDeserializer());
    return KafkaIntakeLoop.of(consumer, List.of(topic), KafkaIntake.of(intake));
  }
}
// end
