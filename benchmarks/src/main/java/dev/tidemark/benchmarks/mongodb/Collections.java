package dev.tidemark.benchmarks.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.benchmarks.measure.Crowded;
import dev.tidemark.benchmarks.measure.Meter;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.mongodb.MongoRecordStore;
import java.util.List;
import java.util.Objects;
import org.bson.BsonBinarySubType;
import org.bson.Document;
import org.bson.types.Binary;

/**
 * The collections of the benchmark: the entities, and the processed messages of other techniques.
 * All techniques write with majority.
 */
public final class Collections implements AutoCloseable {
  static final String ORDERS = "orders";
  static final String INBOX = "inbox";

  private static final String ADDRESS = "17 Harbour Street, Sea View, 04711 Somewhere by the Coast";

  private static final Binary REVISION = new Binary(BsonBinarySubType.UUID_STANDARD, new byte[16]);

  private final MongoClient client;
  private final MongoDatabase database;

  /**
   * Connects.
   *
   * @param uri the server
   * @param meter counts its commands
   */
  public Collections(String uri, Meter meter) {
    this.client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToConnectionPoolSettings(pool -> pool.maxSize(Crowded.CALLERS))
                .writeConcern(WriteConcern.MAJORITY)
                .addCommandListener(new Metering(meter))
                .build());
    this.database = client.getDatabase("bench");
  }

  /**
   * The client.
   *
   * @return for sessions and other databases
   */
  public MongoClient client() {
    return client;
  }

  /**
   * The entities.
   *
   * @return their collection
   */
  public MongoCollection<Document> orders() {
    return database.getCollection(ORDERS);
  }

  MongoDatabase database() {
    return database;
  }

  MongoCollection<Document> executions() {
    return database.getCollection("executions");
  }

  MongoCollection<Document> processed() {
    return database.getCollection("processed");
  }

  /** Drops all and makes the collections anew, since transactions should not have to. */
  public void reset() {
    for (String name : List.of(ORDERS, "processed", "executions", INBOX)) {
      database.getCollection(name).drop();
      database.createCollection(name);
    }
    MongoRecordStore.createIndexes(executions());
    MongoInbox.createIndex(database, INBOX);
  }

  /**
   * Stores new entities.
   *
   * @param entities their keys
   */
  public void create(List<String> entities) {
    orders().insertMany(entities.stream().map(Collections::order).toList());
  }

  /**
   * An entity before its first event, as tracking leaves one that it has created: what it has never
   * written takes a request more, once.
   */
  static Document order(String entity) {
    return new Document("_id", entity)
        .append("_rev", REVISION)
        .append("status", "NEW")
        .append("total", 0L)
        .append("customer", "customer of " + entity)
        .append("address", ADDRESS);
  }

  long total(String entity) {
    return Objects.requireNonNull(orders().find(new Document("_id", entity)).first())
        .getLong("total");
  }

  String version() {
    return database.runCommand(new Document("buildInfo", 1)).getString("version");
  }

  @Override
  public void close() {
    client.close();
  }
}
