package dev.tidemark.lab.orders;

import com.mongodb.ConnectionString;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.servers.MongoProcess;
import java.nio.file.Path;
import java.util.List;

/** A store on this machine, with room for the views of many runs. */
final class StoreServer implements AutoCloseable {
  /** The names that {@link #start} knows. */
  static final List<String> STORES = List.of("dynamodb", "mongodb");

  private final String store;
  private final int port;
  private final String origin;
  private final AutoCloseable server;

  private StoreServer(String store, int port, String origin, AutoCloseable server) {
    this.store = store;
    this.port = port;
    this.origin = origin;
    this.server = server;
  }

  /** Starts one; what it keeps on disk is in that folder. */
  static StoreServer start(String store, Path folder) {
    if (store.equals("dynamodb")) {
      LocalDynamoDb dynamoDb = new LocalDynamoDb();
      return new StoreServer(
          store, dynamoDb.uri().getPort(), "DynamoDB Local, in this process", dynamoDb);
    }
    MongoProcess mongo = MongoProcess.start(folder, 1);
    String address = new ConnectionString(mongo.uri()).getHosts().get(0);
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return new StoreServer(store, port, mongo.origin(), mongo);
  }

  String store() {
    return store;
  }

  /** What it is, to be told once. */
  String origin() {
    return origin;
  }

  /** Empty views that nobody else has. */
  Place place(String name) {
    return new Place(store, port, name).prepared();
  }

  @Override
  public void close() throws Exception {
    server.close();
  }
}
