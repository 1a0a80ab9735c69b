package dev.tidemark.lab.outbox;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.EntityStore;
import dev.tidemark.IdPolicy;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbExecutionRecords;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoExecutionRecords;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.outbox.OutboxRecords;
import java.net.URI;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.PojoCodecProvider;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What one process has of a store.
 *
 * @param orders publish
 * @param views are what a consumer keeps, which drops twins
 * @param outbox has what the orders publish
 * @param leases share the work of relays
 */
record Connection(
    EntityStore<Order> orders,
    EntityStore<Order> views,
    OutboxRecords outbox,
    ExecutionRecords leases,
    AutoCloseable client)
    implements AutoCloseable {
  static final String DYNAMODB = "dynamodb";
  static final String ORDERS = "orders";
  static final String VIEWS = "views";
  static final String LEASES = "leases";
  static final TableSchema<Order> SCHEMA = TableSchema.fromBean(Order.class);

  /** Of a consumer: whatever comes twice is known. */
  static final Tracking FOR_EVER = Tracking.defaults().messageIds(IdPolicy.forEver());

  /** Connects to a store whose tables are there. */
  static Connection open(String store, String endpoint) {
    return store.equals(DYNAMODB) ? dynamoDb(endpoint) : mongo(endpoint);
  }

  private static Connection dynamoDb(String endpoint) {
    DynamoDbClient client = LocalDynamoDb.client(URI.create(endpoint));
    return new Connection(
        DynamoDbEntityStore.of(client, ORDERS, SCHEMA),
        DynamoDbEntityStore.builder(client, VIEWS, SCHEMA).tracking(FOR_EVER).build(),
        DynamoDbOutbox.of(client, ORDERS),
        DynamoDbExecutionRecords.of(client, LEASES),
        client);
  }

  private static Connection mongo(String endpoint) {
    MongoClient client = MongoClients.create(endpoint);
    MongoDatabase database = database(client);
    return new Connection(
        MongoEntityStore.of(database.getCollection(ORDERS, Order.class)),
        MongoEntityStore.builder(database.getCollection(VIEWS, Order.class))
            .tracking(FOR_EVER)
            .build(),
        MongoOutbox.of(database.getCollection(ORDERS)),
        MongoExecutionRecords.of(database.getCollection(LEASES, Document.class)),
        client);
  }

  static MongoDatabase database(MongoClient client) {
    return client
        .getDatabase("shop")
        .withCodecRegistry(
            CodecRegistries.fromRegistries(
                MongoClientSettings.getDefaultCodecRegistry(),
                CodecRegistries.fromProviders(
                    PojoCodecProvider.builder().automatic(true).build())));
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (Exception e) {
      throw new IllegalStateException("a client does not close", e);
    }
  }
}
