// snippet: spring-intake
package shop;

import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.KafkaIntakeListener;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class OrdersIntake {
  @Bean
  KafkaIntakeListener<String, String> orders(
      Projector<CustomerView> view, JsonMapper json, ProducerFactory<String, String> producers) {
    return KafkaIntakeListener.of(
        KafkaIntakeListener.<String, String>builder(
                record -> OrderEvent.delivery(json, record), view::handle)
            .deadLetters(KafkaDeadLetters.of(producers.createProducer(), "orders-dlt"))
            .build());
  }

  @Component
  record Orders(KafkaIntakeListener<String, String> orders) {
    @KafkaListener(topics = "orders", containerFactory = KafkaIntakeListener.FACTORY)
    void take(List<ConsumerRecord<String, String>> records) {
      orders.take(records);
    }
  }
}
// end
