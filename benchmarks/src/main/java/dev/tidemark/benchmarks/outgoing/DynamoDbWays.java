package dev.tidemark.benchmarks.outgoing;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.benchmarks.server.DynamoDbServer;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
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
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Ways to publish on DynamoDB. For one thread. */
public final class DynamoDbWays implements Ways {
  /** What each message says. */
  static final String TEXT = "x".repeat(100);

  private static final TableSchema<EnhancedDocument> SCHEMA =
      TableSchema.documentSchemaBuilder()
          .addIndexPartitionKey(TableMetadata.primaryIndexName(), "id", AttributeValueType.S)
          .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
          .build();

  private final Billing billing = new Billing();
  private final DynamoDbClient client;

  /**
   * Connects.
   *
   * @param server where
   */
  public DynamoDbWays(DynamoDbServer server) {
    this.client =
        DynamoDbClient.builder()
            .endpointOverride(server.uri())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("bench", "bench")))
            .overrideConfiguration(o -> o.addExecutionInterceptor(billing))
            .build();
  }

  @Override
  public String store() {
    return "dynamodb";
  }

  @Override
  public Bill bill() {
    return billing.bill();
  }

  @Override
  public List<Way> all() {
    return List.of(bare(), published(), byHand(), nServiceBus());
  }

  private Way bare() {
    String table = published("bare");
    EntityStore<EnhancedDocument> store = DynamoDbEntityStore.of(client, table, SCHEMA);
    return new Way("the change alone", i -> track(store, i, bare -> bare), () -> 0);
  }

  private Way published() {
    String table = published("published");
    EntityStore<EnhancedDocument> store = DynamoDbEntityStore.of(client, table, SCHEMA);
    Relay relay =
        Relay.builder(DynamoDbOutbox.of(client, table), Sender.each(message -> {})).build();
    return new Way(
        "Tidemark: in the entity's own write",
        i -> track(store, i, bare -> bare.publish("orders", TEXT)),
        () -> relay.sweep().sent());
  }

  private Way byHand() {
    create(table("byhand", "id"));
    create(table("byhand-outbox", "pk", "sk"));
    TransactionsByHand hand = new TransactionsByHand(client, "byhand", "byhand-outbox");
    return new Way("by hand: a transaction with a row, query, delete", hand::publish, hand::send);
  }

  private Way nServiceBus() {
    create(table("nsb", "id"));
    create(table("nsb-outbox", "pk", "sk"));
    AsNServiceBus other = new AsNServiceBus(client, "nsb", "nsb-outbox");
    return new Way("as NServiceBus does", other::publish, other::send);
  }

  private static <T> void track(EntityStore<T> store, int entity, UnaryOperator<Change> more) {
    Change change = more.apply(change().createIfMissing().add("total", 1));
    if (!store
        .update(MessageId.of(UUID.randomUUID()), key("order-" + entity), change)
        .isApplied()) {
      throw new IllegalStateException("not applied");
    }
  }

  private void create(CreateTableRequest.Builder table) {
    client.createTable(table.build());
  }

  private static CreateTableRequest.Builder table(String name, String... key) {
    List<AttributeDefinition> attributes = new ArrayList<>();
    List<KeySchemaElement> elements = new ArrayList<>();
    for (String attribute : key) {
      attributes.add(
          AttributeDefinition.builder()
              .attributeName(attribute)
              .attributeType(ScalarAttributeType.S)
              .build());
      elements.add(
          KeySchemaElement.builder()
              .attributeName(attribute)
              .keyType(elements.isEmpty() ? KeyType.HASH : KeyType.RANGE)
              .build());
    }
    return CreateTableRequest.builder()
        .tableName(name)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(attributes)
        .keySchema(elements);
  }

  /** A table of entities, with the index of what waits. */
  private String published(String name) {
    Tracking.AttributeNames names = Tracking.AttributeNames.defaults();
    CreateTableRequest.Builder table = table(name, "id");
    List<AttributeDefinition> attributes = new ArrayList<>(DynamoDbOutbox.indexAttributes(names));
    attributes.addAll(table.build().attributeDefinitions());
    create(
        table.attributeDefinitions(attributes).globalSecondaryIndexes(DynamoDbOutbox.index(names)));
    return name;
  }

  @Override
  public void close() {
    client.close();
  }
}
