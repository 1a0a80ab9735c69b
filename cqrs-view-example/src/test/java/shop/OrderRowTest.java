// snippet: start-mongodb-test
package shop;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Outcome;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.projector.Projector;
import org.junit.jupiter.api.Test;

class OrderRowTest {
  @Test
  void anEventThatIsDeliveredTwiceIsAppliedOnce() {
    String local = "mongodb://localhost:27017/?directConnection=true";
    String uri = System.getenv().getOrDefault("MONGODB_URI", local);
    try (MongoClient client = MongoClients.create(uri)) {
      MongoCollection<OrderRow> rows =
          client.getDatabase("shop-test").getCollection("orders", OrderRow.class);
      rows.drop(); // what an earlier run has left
      MongoEntityStore<OrderRow> orders = MongoEntityStore.of(rows);
      Projector<OrderRow> projector = OrderProjector.into(orders);

      OrderEvent placed = new OrderEvent.Placed("4711", 1, 100);
      OrderEvent paid = new OrderEvent.Paid("4711", 2, 25);
      assertInstanceOf(Outcome.Gap.class, projector.handle(paid.delivery())); // 1 is missing
      assertInstanceOf(Outcome.Applied.class, projector.handle(placed.delivery()));
      assertInstanceOf(Outcome.Applied.class, projector.handle(paid.delivery()));
      assertInstanceOf(Outcome.Duplicate.class, projector.handle(paid.delivery()));
      assertEquals(125, orders.find(key("4711")).orElseThrow().total());
    }
  }
}
// end
