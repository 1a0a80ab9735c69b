package dev.tidemark.example.orderhistory.demo;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.EntityStore;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.Collection;
import java.util.function.Consumer;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Order views in DynamoDB Local, in this process. */
final class DynamoDbOrders implements Orders {
  private final AmazonDynamoDBLocal local = DynamoDBEmbedded.create();
  private final DynamoDbClient client = local.dynamoDbClient();
  private final DynamoDbTable<OrderView> tracked;
  private final DynamoDbTable<OrderView> untracked;

  DynamoDbOrders() {
    DynamoDbEnhancedClient enhanced =
        DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
    tracked = enhanced.table("orders", TableSchema.fromBean(OrderView.class));
    untracked = enhanced.table("orders-untracked", TableSchema.fromBean(OrderView.class));
    tracked.createTable();
    untracked.createTable();
  }

  @Override
  public String store() {
    return "dynamodb";
  }

  @Override
  public String origin() {
    return "DynamoDB Local, in this process";
  }

  @Override
  public EntityStore<OrderView> tracked() {
    return DynamoDbEntityStore.of(client, tracked);
  }

  @Override
  public Consumer<OrderEvent> untracked() {
    return new UntrackedDynamoDb(client, untracked);
  }

  @Override
  public Collection<OrderView> views(boolean ofTracked) {
    return (ofTracked ? tracked : untracked)
        .scan(scan -> scan.consistentRead(true)).items().stream().toList();
  }

  @Override
  public void close() {
    local.shutdownNow();
  }
}
