package dev.tidemark.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.Document;

/** A client of the tests' server with a proxy between. */
record Proxied(MongoProxy proxy, MongoClient client) implements AutoCloseable {
  static Proxied open() {
    return open(settings -> {});
  }

  /** With a deadline for each operation of the client ({@code timeoutMS}). */
  static Proxied open(Duration deadline) {
    return open(settings -> settings.timeout(deadline.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static Proxied open(Consumer<MongoClientSettings.Builder> more) {
    ServerAddress address =
        new ServerAddress(new ConnectionString(MongoServers.uri()).getHosts().get(0));
    MongoProxy proxy = new MongoProxy(address.getHost(), address.getPort());
    MongoClientSettings.Builder settings = MongoBackend.settings(proxy.port());
    more.accept(settings);
    return new Proxied(proxy, MongoClients.create(settings.build()));
  }

  /** The same collection, by way of the proxy. */
  MongoCollection<Document> collection(MongoCollection<?> direct) {
    return client.getDatabase("tests").getCollection(direct.getNamespace().getCollectionName());
  }

  @Override
  public void close() {
    client.close();
    proxy.close();
  }
}
