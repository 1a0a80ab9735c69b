package dev.tidemark.dynamodb;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.dynamodb.Order.Status;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.VersionedRecordExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("The bound of sources in the Enhanced Client's own writes")
final class ExtensionSourcesTest {
  private static final int MOST = 1_000;
  private static final TableSchema<Order> SCHEMA = TableSchema.fromBean(Order.class);

  private final DynamoDbClient client = DynamoDbTables.client();
  private final DynamoDbTable<Order> table =
      DynamoDbEnhancedClient.builder()
          .dynamoDbClient(client)
          .extensions(VersionedRecordExtension.builder().build(), TidemarkExtension.create())
          .build()
          .table(DynamoDbTables.create(client, SCHEMA), SCHEMA);
  private final DynamoDbEntityStore<Order> store = DynamoDbEntityStore.of(client, table);
  private final String id = UUID.randomUUID().toString();

  private Order stored() {
    return Objects.requireNonNull(
        table.getItem(r -> r.key(Key.builder().partitionValue(id).build()).consistentRead(true)));
  }

  private static SourceEvent event(int source, int position) {
    return SourceEvent.of("S", "" + source, position);
  }

  /** An order with marks of so many sources. */
  private void seed(int sources) {
    table.updateItem(Order.of(id, Status.PLACED, 0).processing(event(1, 1)));
    Map<String, AttributeValue> item =
        new HashMap<>(
            client
                .getItem(
                    r -> r.tableName(table.tableName()).key(Map.of("id", AttributeValue.fromS(id))))
                .item());
    for (int source = 2; source <= sources; source++) {
      item.put("events.S." + source, AttributeValue.fromN("1"));
    }
    client.putItem(r -> r.tableName(table.tableName()).item(item));
  }

  private long sources() {
    return client
        .getItem(r -> r.tableName(table.tableName()).key(Map.of("id", AttributeValue.fromS(id))))
        .item()
        .keySet()
        .stream()
        .filter(name -> name.startsWith("events.S."))
        .count();
  }

  @Test
  @DisplayName("a put or an update that would bring one too many is TooLargeException")
  void put() {
    seed(MOST - 2);
    table.putItem(stored().processing(event(MOST - 1, 1)));
    table.putItem(stored().processing(event(MOST, 1)));
    for (int further = MOST + 1; further <= MOST + 3; further++) {
      int next = further;
      Order order = stored().processing(event(further, 1));
      assertThrows(TooLargeException.class, () -> table.putItem(order));
      Order update = stored().processing(event(further, 1));
      assertThrows(TooLargeException.class, () -> table.updateItem(update));
      assertThrows(TooLargeException.class, () -> store.skip(event(next, 1), key(id)));
    }
    table.putItem(stored().processing(event(MOST, 2)));
    assertTrue(stored().getTotal() >= 0);
    assertEquals(MOST, sources());
  }
}
