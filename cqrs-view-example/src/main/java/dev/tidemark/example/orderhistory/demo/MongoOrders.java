package dev.tidemark.example.orderhistory.demo;

import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.mongodb.MongoEntityStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.function.Consumer;
import org.bson.codecs.pojo.PojoCodecProvider;

/** Order views in a MongoDB of their own. */
final class MongoOrders implements Orders {
  private final LocalMongo server;
  private final MongoClient client;
  private final MongoCollection<OrderView> tracked;
  private final MongoCollection<OrderView> untracked;

  MongoOrders(Path folder) {
    server = LocalMongo.start(folder);
    client = MongoClients.create(server.uri());
    MongoDatabase database =
        client
            .getDatabase("demo")
            .withCodecRegistry(
                fromRegistries(
                    MongoClientSettings.getDefaultCodecRegistry(),
                    fromProviders(PojoCodecProvider.builder().automatic(true).build())));
    tracked = database.getCollection("orders", OrderView.class);
    untracked = database.getCollection("orders-untracked", OrderView.class);
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
  public EntityStore<OrderView> tracked() {
    return MongoEntityStore.of(tracked);
  }

  @Override
  public Consumer<OrderEvent> untracked() {
    return new UntrackedMongo(untracked);
  }

  @Override
  public Collection<OrderView> views(boolean ofTracked) {
    return (ofTracked ? tracked : untracked).find().into(new ArrayList<>());
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
