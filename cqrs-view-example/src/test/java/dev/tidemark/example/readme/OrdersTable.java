package dev.tidemark.example.readme;

import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The table of orders that snippets about outgoing messages have. */
final class OrdersTable {
  private OrdersTable() {}

  /** Creates the table, with the index of what waits. */
  static void create(DynamoDbClient client) {
    List<AttributeDefinition> attributes =
        new ArrayList<>(DynamoDbOutbox.indexAttributes(AttributeNames.defaults()));
    attributes.add(
        AttributeDefinition.builder()
            .attributeName("id")
            .attributeType(ScalarAttributeType.S)
            .build());
    client.createTable(
        create ->
            create
                .tableName("orders")
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(attributes)
                .keySchema(
                    KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
                .globalSecondaryIndexes(DynamoDbOutbox.index(AttributeNames.defaults())));
  }
}
