package dev.tidemark.lab.outbox;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.EntityStore;
import dev.tidemark.IdPolicy;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbOutboxStream;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoOutboxStream;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.store.RecordStore;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.PojoCodecProvider;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * What one process has of a store.
 *
 * @param orders publish
 * @param views are what a consumer keeps, which drops twins
 * @param outbox has what the orders publish
 * @param leases share the work of relays
 * @param listens opens the store's stream for a relay, with the trouble of a case
 */
record Connection(
    EntityStore<Order> orders,
    EntityStore<Order> views,
    OutboxRecords outbox,
    RecordStore leases,
    BiFunction<Relay, Case, Ear> listens,
    AutoCloseable client)
    implements AutoCloseable {
  /** Tells a relay what came, one poll after the other. */
  interface Ear {
    void poll();
  }

  static final String DYNAMODB = "dynamodb";
  static final String ORDERS = "orders";
  static final String VIEWS = "views";
  static final String LEASES = "leases";
  static final String PLACES = "places";
  static final TableSchema<Order> SCHEMA = TableSchema.fromBean(Order.class);

  /** Of a consumer: whatever comes twice is known. */
  static final Tracking FOR_EVER = Tracking.defaults().messageIds(IdPolicy.forEver());

  /** Connects to a store whose tables are there. */
  static Connection open(String store, String endpoint) {
    return store.equals(DYNAMODB) ? dynamoDb(endpoint) : mongo(endpoint);
  }

  private static Connection dynamoDb(String endpoint) {
    DynamoDbClient client = LocalDynamoDb.client(URI.create(endpoint));
    DynamoDbOutbox outbox = DynamoDbOutbox.of(client, ORDERS);
    return new Connection(
        DynamoDbEntityStore.of(client, ORDERS, SCHEMA),
        DynamoDbEntityStore.builder(client, VIEWS, SCHEMA).tracking(FOR_EVER).build(),
        outbox,
        DynamoDbRecordStore.of(client, LEASES),
        (relay, what) -> ear(URI.create(endpoint), outbox, relay, what),
        client);
  }

  private static Connection mongo(String endpoint) {
    MongoClient client = MongoClients.create(endpoint);
    MongoDatabase database = database(client);
    MongoOutbox outbox = MongoOutbox.of(database.getCollection(ORDERS));
    return new Connection(
        MongoEntityStore.of(database.getCollection(ORDERS, Order.class)),
        MongoEntityStore.builder(database.getCollection(VIEWS, Order.class))
            .tracking(FOR_EVER)
            .build(),
        outbox,
        MongoRecordStore.of(database.getCollection(LEASES, Document.class)),
        (relay, what) -> ear(database, outbox, relay),
        client);
  }

  private static Ear ear(MongoDatabase database, MongoOutbox outbox, Relay relay) {
    MongoOutboxStream stream =
        MongoOutboxStream.builder(outbox, relay::hint)
            .tokens(MongoOutboxStream.Tokens.in(database.getCollection(PLACES), "relay"))
            .savingEvery(Duration.ofMillis(50))
            .listener((event, error) -> System.out.println("stream " + event))
            .sweep(relay::sweep)
            .build();
    return () -> {
      int unused = stream.poll();
    };
  }

  private static Ear ear(URI endpoint, DynamoDbOutbox outbox, Relay relay, Case what) {
    DynamoDbStreamsClient streams =
        DynamoDbStreamsClient.builder()
            .endpointOverride(endpoint)
            .region(Region.EU_CENTRAL_1)
            .credentialsProvider(LocalDynamoDb.CREDENTIALS)
            .overrideConfiguration(o -> o.addExecutionInterceptor(new ShardTrouble(what)))
            .build();
    DynamoDbOutboxStream stream =
        DynamoDbOutboxStream.builder(streams, outbox, relay::hint).sweep(relay::sweep).build();
    return () -> {
      int unused = stream.poll();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    };
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
