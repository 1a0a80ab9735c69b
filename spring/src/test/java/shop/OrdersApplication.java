// snippet: spring-application
package shop;

import dev.tidemark.EntityStore;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.KafkaIntakeListener;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.stereotype.Component;
import shop.OrderEvent.Cancelled;
import shop.OrderEvent.Placed;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import tools.jackson.databind.json.JsonMapper;

@SpringBootApplication
public class OrdersApplication {
  public static void main(String[] args) {
    SpringApplication.run(OrdersApplication.class, args);
  }

  @Bean
  DynamoDbClient dynamoDb() {
    return DynamoDbClient.create();
  }

  @Bean
  Projector<CustomerView> customers(EntityStore<CustomerView> store) {
    return Projector.into(store)
        .declaring(OrderEvent.class) // refuses to leave one of its types out
        .on(Placed.class, OrderEvent::row, CustomerView::new, CustomerView::placed)
        .on(Cancelled.class, OrderEvent::row, CustomerView::new, CustomerView::cancelled)
        .build();
  }

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
