package dev.tidemark.lab.outbox;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.servers.MongoProcess;
import java.nio.file.Path;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/**
 * A store on this machine, with empty tables.
 *
 * @param store its name in results
 * @param origin what it is, to be told once
 * @param endpoint where processes find it
 * @param trouble see {@link #breakStream}
 */
record Place(
    String store, String origin, String endpoint, AutoCloseable server, Consumer<Case> trouble)
    implements AutoCloseable {

  /** Starts DynamoDB Local in this process. */
  static Place dynamoDb() {
    LocalDynamoDb server = new LocalDynamoDb();
    try (DynamoDbClient client = server.client()) {
      Tracking.AttributeNames names = Tracking.AttributeNames.defaults();
      AttributeDefinition id =
          AttributeDefinition.builder()
              .attributeName("id")
              .attributeType(ScalarAttributeType.S)
              .build();
      KeySchemaElement key =
          KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build();
      client.createTable(
          table ->
              table
                  .tableName(Connection.ORDERS)
                  .billingMode(BillingMode.PAY_PER_REQUEST)
                  .attributeDefinitions(with(id, names))
                  .keySchema(key)
                  .globalSecondaryIndexes(DynamoDbOutbox.index(names))
                  .streamSpecification(streaming(true)));
      client.createTable(
          table ->
              table
                  .tableName(Connection.VIEWS)
                  .billingMode(BillingMode.PAY_PER_REQUEST)
                  .attributeDefinitions(id)
                  .keySchema(key));
      DynamoDbRecordStore.createTable(client, Connection.LEASES);
    }
    String uri = server.uri().toString();
    return new Place(
        Connection.DYNAMODB,
        "DynamoDB Local, in this process",
        uri,
        server,
        what -> switchOver(server));
  }

  private static StreamSpecification streaming(boolean on) {
    return StreamSpecification.builder()
        .streamEnabled(on)
        .streamViewType(on ? StreamViewType.NEW_IMAGE : null)
        .build();
  }

  /** Switches the stream off and on: what was in it is gone. */
  private static void switchOver(LocalDynamoDb server) {
    try (DynamoDbClient client = server.client()) {
      for (boolean on : new boolean[] {false, true}) {
        client.updateTable(
            table -> table.tableName(Connection.ORDERS).streamSpecification(streaming(on)));
      }
    }
  }

  private static AttributeDefinition[] with(AttributeDefinition id, Tracking.AttributeNames names) {
    var all = new java.util.ArrayList<>(DynamoDbOutbox.indexAttributes(names));
    all.add(id);
    return all.toArray(AttributeDefinition[]::new);
  }

  /** Starts a MongoDB whose data is in an empty folder, with as much history as the case wants. */
  static Place mongo(Path folder, Case what) {
    MongoProcess server =
        MongoProcess.start(
            folder, 1, what == Case.HISTORY_LOST ? StreamTrouble.SHORT_HISTORY : new String[0]);
    try (MongoClient client = MongoClients.create(server.uri())) {
      MongoDatabase database = Connection.database(client);
      database.createCollection(Connection.ORDERS);
      database.createCollection(Connection.VIEWS);
      MongoOutbox.of(database.getCollection(Connection.ORDERS)).createIndex();
      MongoRecordStore.createIndexes(database.getCollection(Connection.LEASES));
    }
    return new Place(
        "mongodb", server.origin(), server.uri(), server, new StreamTrouble(server.uri()));
  }

  /** Makes the trouble of a case for who reads the store's stream. */
  void breakStream(Case what) {
    trouble.accept(what);
  }

  /** Whether a reader of MongoDB's stream has kept the place from which the next one goes on. */
  boolean hasKeptPlace() {
    return trouble instanceof StreamTrouble stream && stream.hasPlace();
  }

  Connection connect() {
    return Connection.open(store, endpoint);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException("the store does not stop", e);
    }
  }
}
