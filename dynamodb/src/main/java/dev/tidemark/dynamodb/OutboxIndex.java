package dev.tidemark.dynamodb;

import dev.tidemark.Tracking.AttributeNames;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateGlobalSecondaryIndexAction;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputDescription;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** The index by which records are found that keep outgoing messages: no other item is in it. */
final class OutboxIndex {
  static final String NAME = "outbox";

  private OutboxIndex() {}

  static GlobalSecondaryIndex definition(AttributeNames names) {
    return GlobalSecondaryIndex.builder()
        .indexName(NAME)
        .keySchema(key(shard(names), KeyType.HASH), key(due(names), KeyType.RANGE))
        .projection(p -> p.projectionType(ProjectionType.KEYS_ONLY))
        .build();
  }

  static List<AttributeDefinition> attributes(AttributeNames names) {
    return List.of(
        attribute(shard(names), ScalarAttributeType.N),
        attribute(due(names), ScalarAttributeType.N));
  }

  private static String shard(AttributeNames names) {
    return names.outbox() + "#shard";
  }

  private static String due(AttributeNames names) {
    return names.outbox() + "#due";
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
    return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
  }

  /** Adds the index to a table, with the table's capacity. */
  static void create(DynamoDbClient client, String table, AttributeNames names) {
    TableDescription described = client.describeTable(r -> r.tableName(table)).table();
    if (described.globalSecondaryIndexes().stream().anyMatch(i -> NAME.equals(i.indexName()))) {
      return;
    }
    GlobalSecondaryIndex index = definition(names);
    CreateGlobalSecondaryIndexAction.Builder create =
        CreateGlobalSecondaryIndexAction.builder()
            .indexName(NAME)
            .keySchema(index.keySchema())
            .projection(index.projection());
    if (isProvisioned(described)) {
      create.provisionedThroughput(capacity(described));
    }
    GlobalSecondaryIndexUpdate change =
        GlobalSecondaryIndexUpdate.builder().create(create.build()).build();
    client.updateTable(
        update ->
            update
                .tableName(table)
                .attributeDefinitions(attributes(names))
                .globalSecondaryIndexUpdates(change));
  }

  private static boolean isProvisioned(TableDescription table) {
    return table.billingModeSummary() == null
        || table.billingModeSummary().billingMode() == BillingMode.PROVISIONED;
  }

  private static ProvisionedThroughput capacity(TableDescription table) {
    ProvisionedThroughputDescription capacity = table.provisionedThroughput();
    return ProvisionedThroughput.builder()
        .readCapacityUnits(capacity.readCapacityUnits())
        .writeCapacityUnits(capacity.writeCapacityUnits())
        .build();
  }

  /** Creates a table for records of their own. */
  static void createTable(DynamoDbClient client, String table, AttributeNames names) {
    List<AttributeDefinition> attributes = new ArrayList<>(attributes(names));
    attributes.add(attribute(OutboxItems.ID, ScalarAttributeType.S));
    client.createTable(
        create ->
            create
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(attributes)
                .keySchema(key(OutboxItems.ID, KeyType.HASH))
                .globalSecondaryIndexes(definition(names)));
    client.waiter().waitUntilTableExists(r -> r.tableName(table));
  }
}
