package dev.tidemark.benchmarks.relay;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.benchmarks.server.MongoServer;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoOutboxStream;
import dev.tidemark.outbox.Relay;
import org.bson.Document;

/** Collections of a MongoDB. */
public final class MongoRelays implements RelayTarget {
  private final MongoClient client;
  private int collections;

  /**
   * Connects.
   *
   * @param server a replica set
   */
  public MongoRelays(MongoServer server) {
    this.client = MongoClients.create(server.uri());
  }

  @Override
  public String name() {
    return "mongodb";
  }

  @Override
  public Outgoing fresh(boolean streams) {
    MongoCollection<Document> collection =
        client.getDatabase("relays").getCollection("orders" + collections++);
    collection.insertOne(new Document("_id", "none"));
    MongoOutbox outbox = MongoOutbox.of(collection);
    outbox.createIndex();
    return new Outgoing(MongoEntityStore.of(collection), outbox);
  }

  @Override
  public AutoCloseablePoll stream(Outgoing outgoing, Relay relay) {
    MongoOutboxStream stream =
        MongoOutboxStream.builder((MongoOutbox) outgoing.records(), relay::hint)
            .sweep(relay::sweep)
            .build();
    return new AutoCloseablePoll() {
      @Override
      public void poll() {
        int unused = stream.poll();
      }

      @Override
      public void close() {
        stream.close();
      }
    };
  }

  @Override
  public void close() {
    client.close();
  }
}
