// snippet: start-dynamodb-test
package shop;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.Outcome;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.projector.Projector;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class OrderTest {
  @Test
  void anEventThatIsDeliveredTwiceIsAppliedOnce() {
    AmazonDynamoDBLocal server = DynamoDBEmbedded.create(); // DynamoDB Local, in this JVM
    DynamoDbClient client = server.dynamoDbClient();
    DynamoDbTable<Order> table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .build()
            .table("orders", TableSchema.fromBean(Order.class));
    table.createTable();
    DynamoDbEntityStore<Order> orders = DynamoDbEntityStore.of(client, table);
    Projector<Order> projector = OrderProjector.into(orders);

    OrderEvent placed = new OrderEvent.Placed("4711", 1, 100);
    OrderEvent paid = new OrderEvent.Paid("4711", 2, 25);
    assertInstanceOf(Outcome.Gap.class, projector.handle(paid.delivery())); // 1 is missing
    assertInstanceOf(Outcome.Applied.class, projector.handle(placed.delivery()));
    assertInstanceOf(Outcome.Applied.class, projector.handle(paid.delivery()));
    assertInstanceOf(Outcome.Duplicate.class, projector.handle(paid.delivery()));
    assertEquals(125, orders.find(key("4711")).orElseThrow().getTotal());
    server.shutdown();
  }
}
// end
