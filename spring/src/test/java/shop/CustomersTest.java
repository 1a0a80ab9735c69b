// snippet: spring-slice
package shop;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.spring.TidemarkTest;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@TidemarkTest // stores, and what the application class defines
class CustomersTest {
  @Test
  void anOrderCountsOnce(
      @Autowired Projector<CustomerView> view, @Autowired EntityStore<CustomerView> customers) {
    OrderEvent placed = new OrderEvent.Placed("e1", "c1", Instant.EPOCH, 2500);
    Delivery delivery = Delivery.of(MessageId.of(placed.eventId()), placed);
    assertInstanceOf(Outcome.Applied.class, view.handle(delivery));
    assertInstanceOf(Outcome.Duplicate.class, view.handle(delivery));
    assertEquals(2500, customers.find(key("c1")).orElseThrow().getCents());
  }
}
// end
