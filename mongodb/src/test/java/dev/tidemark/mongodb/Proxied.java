package dev.tidemark.mongodb;

import com.mongodb.ConnectionString;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import org.bson.Document;

/** A client of the tests' server with a proxy between. */
record Proxied(MongoProxy proxy, MongoClient client) implements AutoCloseable {
  static Proxied open() {
    ServerAddress address =
        new ServerAddress(new ConnectionString(MongoServers.server().uri()).getHosts().get(0));
    MongoProxy proxy = new MongoProxy(address.getHost(), address.getPort());
    return new Proxied(
        proxy,
        MongoClients.create(MongoBackend.settings(MongoServers.server(), proxy.port()).build()));
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
