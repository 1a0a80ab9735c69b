package dev.tidemark.example.migration;

import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Tables on DynamoDB with a partition key and nothing else. */
final class Tables {
  private Tables() {}

  static void create(DynamoDbClient client, String table, String key) {
    client.createTable(
        create ->
            create
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName(key)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(
                    KeySchemaElement.builder().attributeName(key).keyType(KeyType.HASH).build()));
  }

  static DynamoDbTable<EnhancedDocument> table(DynamoDbClient client, String table, String key) {
    return DynamoDbEnhancedClient.builder()
        .dynamoDbClient(client)
        .build()
        .table(table, documents(key));
  }

  /** Items with any attributes beside their key. */
  static TableSchema<EnhancedDocument> documents(String key) {
    return TableSchema.documentSchemaBuilder()
        .addIndexPartitionKey(TableMetadata.primaryIndexName(), key, AttributeValueType.S)
        .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
        .build();
  }

  static Map<String, AttributeValue> id(String id) {
    return Map.of("id", AttributeValue.fromS(id));
  }

  /** A row as it is stored, with all that tracking added. */
  static EnhancedDocument row(DynamoDbTable<EnhancedDocument> table, String id) {
    Key key = Key.builder().partitionValue(id).build();
    return Objects.requireNonNull(table.getItem(get -> get.key(key).consistentRead(true)));
  }
}
