package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbBean;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbPartitionKey;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("A client that the SDK did not build, such as DynamoDB Local's own in this process,")
class DynamoDbEmbeddedClientTest {
  private static final SourceEvent EVENT = SourceEvent.of("Order", "a", 1);
  private static final Change PLACED = change().set("status", "PLACED").createIfMissing();

  private final AmazonDynamoDBLocal local = DynamoDBEmbedded.create();

  /** An entity. */
  @DynamoDbBean
  public static final class Order {
    private String id = "";
    private String status = "";

    @DynamoDbPartitionKey
    public String getId() {
      return id;
    }

    public void setId(String id) {
      this.id = id;
    }

    public String getStatus() {
      return status;
    }

    public void setStatus(String status) {
      this.status = status;
    }
  }

  @AfterEach
  void stop() {
    local.shutdownNow();
  }

  @Test
  @DisplayName("serves a store")
  void serves() {
    DynamoDbClient client = local.dynamoDbClient();
    EntityStore<Order> orders = DynamoDbEntityStore.of(client, table());
    assertTrue(orders.update(EVENT, key("a"), PLACED).isApplied());
    assertInstanceOf(Outcome.Duplicate.class, orders.update(EVENT, key("a"), PLACED));
  }

  @Test
  @DisplayName("serves an asynchronous store")
  void servesAsync() throws ExecutionException, InterruptedException {
    DynamoDbTable<Order> table = table();
    DynamoDbAsyncEntityStore<Order> orders =
        DynamoDbAsyncEntityStore.of(
            local.dynamoDbAsyncClient(), table.tableName(), table.tableSchema());
    assertTrue(orders.update(EVENT, key("a"), PLACED).get().isApplied());
    assertInstanceOf(Outcome.Duplicate.class, orders.update(EVENT, key("a"), PLACED).get());
  }

  private DynamoDbTable<Order> table() {
    DynamoDbTable<Order> table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(local.dynamoDbClient())
            .build()
            .table("orders", TableSchema.fromBean(Order.class));
    table.createTable();
    return table;
  }
}
