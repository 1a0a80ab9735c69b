// snippet: spring-application
package shop;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.KafkaIntakeListener;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

@SpringBootApplication
public class OrdersApplication {
  public record OrderPlaced(String eventId, String customerId, long cents) {
    public OrderPlaced {
      Objects.requireNonNull(customerId); // so an event without it cannot be read
    }
  }

  public static void main(String[] args) {
    SpringApplication.run(OrdersApplication.class, args);
  }

  @Bean
  Projector<CustomerView> customers(EntityStore<CustomerView> store) {
    return Projector.into(store)
        .updating(
            OrderPlaced.class,
            placed -> key(placed.customerId()),
            placed -> change().createIfMissing().add("orders", 1).add("cents", placed.cents()))
        .build();
  }

  @Bean
  KafkaIntakeListener<String, String> orders(
      Projector<CustomerView> customers,
      JsonMapper json,
      ProducerFactory<String, String> producers) {
    return KafkaIntakeListener.of(
        KafkaIntakeListener.<String, String>builder(
                record -> {
                  OrderPlaced placed = json.readValue(record.value(), OrderPlaced.class);
                  return Delivery.of(MessageId.of(placed.eventId()), placed);
                },
                customers::handle)
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
