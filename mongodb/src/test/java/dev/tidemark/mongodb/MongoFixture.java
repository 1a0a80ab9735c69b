package dev.tidemark.mongodb;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityKey;
import dev.tidemark.Tracking;
import java.util.UUID;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;

/** One client of the configured server for a test class, with fresh collections. */
final class MongoFixture implements AutoCloseable {
  final MongoCommands commands = new MongoCommands();
  final MongoClient client;

  MongoFixture() {
    this(MongoServers.uri());
  }

  MongoFixture(String uri) {
    this.client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new com.mongodb.ConnectionString(uri))
                .addCommandListener(commands)
                .build());
  }

  MongoCollection<Document> documents() {
    return client.getDatabase("tests").getCollection("c" + UUID.randomUUID());
  }

  /** Records whose marks are mapped. */
  MongoCollection<Order> orders() {
    return client
        .getDatabase("tests")
        .getCollection("o" + UUID.randomUUID(), Order.class)
        .withCodecRegistry(
            CodecRegistries.fromRegistries(
                CodecRegistries.fromProviders(MongoMarksCodec.provider(Tracking.defaults())),
                MongoClientSettings.getDefaultCodecRegistry()));
  }

  static EntityKey key() {
    return EntityKey.key("k" + UUID.randomUUID());
  }

  @Override
  public void close() {
    client.close();
  }
}
