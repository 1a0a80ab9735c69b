package dev.tidemark.benchmarks.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** The tables of the benchmark: the entities, and the processed messages of other libraries. */
final class Tables {
  static final String ORDERS = "orders";
  static final String PROCESSED = "processed";
  static final String EXECUTIONS = "executions";
  static final String INBOX = "inbox";

  private static final int BATCH = 25;
  private static final SdkBytes REVISION = SdkBytes.fromByteArray(new byte[16]);
  private static final String ADDRESS = "17 Harbour Street, Sea View, 04711 Somewhere by the Coast";

  private Tables() {}

  static void reset(DynamoDbClient client) {
    for (String table : List.of(ORDERS, PROCESSED, EXECUTIONS, INBOX)) {
      try {
        client.deleteTable(request -> request.tableName(table));
      } catch (ResourceNotFoundException e) {
        // the first time
      }
    }
    DynamoDbRecordStore.createTable(client, EXECUTIONS);
    DynamoDbInbox.createTable(client, INBOX);
    for (String table : List.of(ORDERS, PROCESSED)) {
      client.createTable(
          request ->
              request
                  .tableName(table)
                  .billingMode(BillingMode.PAY_PER_REQUEST)
                  .keySchema(
                      KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
                  .attributeDefinitions(
                      AttributeDefinition.builder()
                          .attributeName("id")
                          .attributeType(ScalarAttributeType.S)
                          .build()));
    }
  }

  static void create(DynamoDbClient client, List<String> entities) {
    for (int from = 0; from < entities.size(); from += BATCH) {
      List<WriteRequest> puts =
          entities.subList(from, Math.min(entities.size(), from + BATCH)).stream()
              .map(Tables::put)
              .toList();
      client.batchWriteItem(batch -> batch.requestItems(Map.of(ORDERS, puts)));
    }
  }

  private static WriteRequest put(String entity) {
    return WriteRequest.builder()
        .putRequest(PutRequest.builder().item(item(entity)).build())
        .build();
  }

  /**
   * An entity before its first event, as tracking leaves one that it has created: what it has never
   * written takes a request more, once.
   */
  static Map<String, AttributeValue> item(String entity) {
    return Map.of(
        "id", fromS(entity),
        "_rev", AttributeValue.fromB(REVISION),
        "status", fromS("NEW"),
        "total", fromN("0"),
        "customer", fromS("customer of " + entity),
        "address", fromS(ADDRESS));
  }

  static Map<String, AttributeValue> key(String id) {
    return Map.of("id", fromS(id));
  }

  static long total(DynamoDbClient client, String entity) {
    Map<String, AttributeValue> item =
        client.getItem(get -> get.tableName(ORDERS).key(key(entity)).consistentRead(true)).item();
    return Long.parseLong(Objects.requireNonNull(item.get("total")).n());
  }
}
