package dev.tidemark.lab.checkout;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.servers.MongoProcess;
import dev.tidemark.store.RecordStore;
import java.nio.file.Path;
import java.util.Map;
import org.bson.Document;

/** Records in a replica set of one. */
final class MongoPlace implements Place {
  private static final String DATABASE = "orderhistory";

  private final MongoProcess server;
  private final MongoClient client;
  private final MongoCollection<Document> collection;

  /** Starts a server whose data is in an empty folder. */
  MongoPlace(Path folder) {
    server = MongoProcess.start(folder, 1);
    client = MongoClients.create(server.uri());
    collection = client.getDatabase(DATABASE).getCollection("executions");
    MongoRecordStore.createIndexes(collection);
  }

  @Override
  public String store() {
    return "mongodb";
  }

  @Override
  public String origin() {
    return server.origin();
  }

  @Override
  public int port() {
    String address = new ConnectionString(server.uri()).getHosts().get(0);
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  @Override
  public Map<String, String> environment(int through) {
    return Map.of(
        "STORE",
        store(),
        "MONGODB_URI",
        "mongodb://127.0.0.1:" + through + "/?directConnection=true",
        "MONGODB_DATABASE",
        DATABASE);
  }

  @Override
  public RecordStore records() {
    return MongoRecordStore.of(collection);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
