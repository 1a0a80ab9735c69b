package dev.tidemark.example.migration;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import dev.tidemark.EntityStore;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

@DisplayName("A migration from a hand-written mark on DynamoDB")
class DynamoDbOwnMarkTest extends OwnMarkScene<EnhancedDocument> {
  @SuppressWarnings("NullAway.Init")
  private static AmazonDynamoDBLocal server;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbClient client;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbTable<EnhancedDocument> table;

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    client = server.dynamoDbClient();
    Tables.create(client, "orders", "id");
    table = Tables.table(client, "orders", "id");
  }

  @AfterAll
  static void stop() {
    server.shutdown();
  }

  @Override
  EntityStore<EnhancedDocument> orders(Tracking tracking) {
    return DynamoDbEntityStore.builder(client, "orders", Tables.documents("id"))
        .tracking(tracking)
        .build();
  }

  @Override
  void place(String orderId) {
    Map<String, AttributeValue> row =
        Map.of("id", AttributeValue.fromS(orderId), "total", AttributeValue.fromN("0"));
    client.putItem(put -> put.tableName("orders").item(row));
  }

  @Override
  boolean old(String orderId, long version) {
    Map<String, AttributeValue> values =
        Map.of(":version", AttributeValue.fromN("" + version), ":one", AttributeValue.fromN("1"));
    try {
      client.updateItem(
          update ->
              update
                  .tableName("orders")
                  .key(Tables.id(orderId))
                  .updateExpression("SET lastVersion = :version ADD #total :one")
                  .conditionExpression(
                      "attribute_not_exists(lastVersion) OR lastVersion < :version")
                  .expressionAttributeNames(Map.of("#total", "total"))
                  .expressionAttributeValues(values));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }

  @Override
  void seed(EntityStore<EnhancedDocument> orders) {
    List<String> failed = new ArrayList<>();
    // snippet: migration-own-mark-seed
    for (EnhancedDocument row : table.scan(scan -> scan.consistentRead(true)).items()) {
      if (row.isPresent("lastVersion")) {
        String id = row.getString("id");
        long version = row.getNumber("lastVersion").longValue();
        if (!orders.skip(SourceEvent.of("Order", id, version), key(id)).isDone()) {
          failed.add(id);
        }
      }
    }
    // end
    assertEquals(List.of(), failed);
  }

  @Override
  void clean() {
    for (EnhancedDocument row : table.scan().items()) {
      client.updateItem(
          update ->
              update
                  .tableName("orders")
                  .key(Tables.id(row.getString("id")))
                  .updateExpression("REMOVE lastVersion"));
    }
  }

  @Override
  long total(String orderId) {
    return Tables.row(table, orderId).getNumber("total").longValue();
  }

  @Override
  boolean hasOwnMark(String orderId) {
    return Tables.row(table, orderId).isPresent("lastVersion");
  }
}
