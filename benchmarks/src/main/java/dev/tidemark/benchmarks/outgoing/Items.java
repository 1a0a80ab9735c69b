package dev.tidemark.benchmarks.outgoing;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteRequest;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Parts of requests that are written by hand. */
final class Items {
  private Items() {}

  static AttributeValue text(String text) {
    return AttributeValue.fromS(text);
  }

  /** The change of an entity, under the condition that it comes after the one before. */
  static TransactWriteItem entity(String table, int entity, long version) {
    return TransactWriteItem.builder()
        .update(
            Update.builder()
                .tableName(table)
                .key(Map.of("id", text("order-" + entity)))
                .updateExpression("ADD amount :one SET version = :version")
                .conditionExpression("attribute_not_exists(version) OR version < :version")
                .expressionAttributeValues(
                    Map.of(
                        ":one", AttributeValue.fromN("1"),
                        ":version", AttributeValue.fromN("" + version)))
                .build())
        .build();
  }

  /** A new row. */
  static TransactWriteItem row(String table, Map<String, AttributeValue> row) {
    return TransactWriteItem.builder()
        .put(
            Put.builder()
                .tableName(table)
                .item(row)
                .conditionExpression("attribute_not_exists(sk)")
                .build())
        .build();
  }

  static void write(DynamoDbClient client, TransactWriteItem... items) {
    client.transactWriteItems(all -> all.transactItems(List.of(items)));
  }

  static void delete(DynamoDbClient client, String table, List<Map<String, AttributeValue>> keys) {
    List<WriteRequest> deletes =
        keys.stream()
            .map(
                key ->
                    WriteRequest.builder()
                        .deleteRequest(DeleteRequest.builder().key(key).build())
                        .build())
            .toList();
    client.batchWriteItem(all -> all.requestItems(Map.of(table, deletes)));
  }
}
