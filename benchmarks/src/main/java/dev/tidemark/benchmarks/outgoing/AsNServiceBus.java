package dev.tidemark.benchmarks.outgoing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The requests that NServiceBus.Persistence.DynamoDB makes for an incoming message whose handler
 * changes an entity and sends one message: a query for the record of the message; a transaction of
 * entity, record and operation; once it is sent, an update of the record and a batch that deletes
 * the operation. The record stays until it expires.
 */
final class AsNServiceBus {
  private final DynamoDbClient client;
  private final String entities;
  private final String outbox;
  private final List<String> open = new ArrayList<>();
  private long version;

  AsNServiceBus(DynamoDbClient client, String entities, String outbox) {
    this.client = client;
    this.entities = entities;
    this.outbox = outbox;
  }

  private static Map<String, AttributeValue> key(String message, String kind) {
    return Map.of(
        "pk",
        Items.text("OUTBOX#ORDERS#" + message),
        "sk",
        Items.text("OUTBOX#" + kind + "#" + message));
  }

  private static Map<String, AttributeValue> row(
      String message, String kind, Map<String, AttributeValue> more) {
    Map<String, AttributeValue> row = new HashMap<>(key(message, kind));
    row.put("Dispatched", AttributeValue.fromBool(false));
    row.putAll(more);
    return row;
  }

  void publish(int entity) {
    version++;
    String message = UUID.randomUUID().toString();
    var unused =
        client.query(
            query ->
                query
                    .tableName(outbox)
                    .consistentRead(true)
                    .keyConditionExpression("pk = :pk")
                    .expressionAttributeValues(
                        Map.of(":pk", Items.text("OUTBOX#ORDERS#" + message))));
    Items.write(
        client,
        Items.entity(entities, entity, version),
        Items.row(
            outbox,
            row(
                message,
                "METADATA",
                Map.of("TransportOperationsCount", AttributeValue.fromN("1")))),
        Items.row(
            outbox, row(message, "OPERATION", Map.of("Body", Items.text(DynamoDbWays.TEXT)))));
    open.add(message);
  }

  int send() {
    for (String message : open) {
      client.updateItem(
          update ->
              update
                  .tableName(outbox)
                  .key(key(message, "METADATA"))
                  .updateExpression("SET Dispatched = :yes, ExpiresAt = :later")
                  .expressionAttributeValues(
                      Map.of(
                          ":yes", AttributeValue.fromBool(true),
                          ":later", AttributeValue.fromN("4925491201"))));
      Items.delete(client, outbox, List.of(key(message, "OPERATION")));
    }
    int sent = open.size();
    open.clear();
    return sent;
  }
}
