package dev.tidemark.benchmarks.relay;

import dev.tidemark.Tracking;
import dev.tidemark.benchmarks.server.DynamoDbServer;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbOutboxStream;
import dev.tidemark.outbox.Relay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Tables of a DynamoDB, with streams. */
public final class DynamoDbRelays implements RelayTarget {
  private static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("bench", "bench"));
  private static final TableSchema<EnhancedDocument> SCHEMA =
      TableSchema.documentSchemaBuilder()
          .addIndexPartitionKey(TableMetadata.primaryIndexName(), "id", AttributeValueType.S)
          .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
          .build();

  private final DynamoDbClient client;
  private final DynamoDbStreamsClient streamsClient;
  private int tables;

  /**
   * Connects.
   *
   * @param server where
   */
  public DynamoDbRelays(DynamoDbServer server) {
    this.client =
        DynamoDbClient.builder()
            .endpointOverride(server.uri())
            .region(Region.US_EAST_1)
            .credentialsProvider(CREDENTIALS)
            .build();
    this.streamsClient =
        DynamoDbStreamsClient.builder()
            .endpointOverride(server.uri())
            .region(Region.US_EAST_1)
            .credentialsProvider(CREDENTIALS)
            .build();
  }

  @Override
  public String name() {
    return "dynamodb";
  }

  @Override
  public Outgoing fresh(boolean streams) {
    String table = "orders" + tables++;
    Tracking.AttributeNames names = Tracking.AttributeNames.defaults();
    List<AttributeDefinition> attributes = new ArrayList<>(DynamoDbOutbox.indexAttributes(names));
    attributes.add(
        AttributeDefinition.builder()
            .attributeName("id")
            .attributeType(ScalarAttributeType.S)
            .build());
    client.createTable(
        create ->
            create
                .tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(attributes)
                .keySchema(
                    KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
                .globalSecondaryIndexes(DynamoDbOutbox.index(names))
                .streamSpecification(
                    stream ->
                        stream
                            .streamEnabled(streams)
                            .streamViewType(streams ? StreamViewType.NEW_IMAGE : null)));
    return new Outgoing(
        DynamoDbEntityStore.of(client, table, SCHEMA), DynamoDbOutbox.of(client, table));
  }

  @Override
  public AutoCloseablePoll stream(Outgoing outgoing, Relay relay) {
    DynamoDbOutboxStream stream =
        DynamoDbOutboxStream.builder(
                streamsClient, (DynamoDbOutbox) outgoing.records(), relay::hint)
            .sweep(relay::sweep)
            .build();
    return new AutoCloseablePoll() {
      @Override
      public void poll() {
        int unused = stream.poll();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {
    client.close();
    streamsClient.close();
  }
}
