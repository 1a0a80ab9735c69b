// snippet: spring-application
package shop;

import dev.tidemark.EntityStore;
import dev.tidemark.projector.Projector;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import shop.OrderEvent.Cancelled;
import shop.OrderEvent.Placed;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

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
}
// end
