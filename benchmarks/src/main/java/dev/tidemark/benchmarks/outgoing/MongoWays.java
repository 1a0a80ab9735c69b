package dev.tidemark.benchmarks.outgoing;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.benchmarks.server.MongoServer;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.bson.Document;

/** Ways to publish on MongoDB. For one thread. */
public final class MongoWays implements Ways {
  private static final String TEXT = DynamoDbWays.TEXT;
  private static final int MOST = 100;

  private final AtomicInteger commands = new AtomicInteger();
  private final MongoClient client;
  private final MongoDatabase database;

  /**
   * Connects.
   *
   * @param server a replica set
   */
  public MongoWays(MongoServer server) {
    this.client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .addCommandListener(
                    new CommandListener() {
                      @Override
                      public void commandStarted(CommandStartedEvent event) {
                        commands.incrementAndGet();
                      }
                    })
                .build());
    this.database = client.getDatabase("outgoing");
  }

  @Override
  public String store() {
    return "mongodb";
  }

  @Override
  public Bill bill() {
    return new Bill(commands.get(), 0, 0);
  }

  @Override
  public List<Way> all() {
    return List.of(bare(), published(), byHand(), massTransit());
  }

  private MongoCollection<Document> created(String name) {
    database.createCollection(name);
    return database.getCollection(name);
  }

  private Way bare() {
    EntityStore<Document> store = MongoEntityStore.of(created("bare"));
    return new Way("the change alone", i -> track(store, i, bare -> bare), () -> 0);
  }

  private Way published() {
    MongoCollection<Document> collection = created("published");
    EntityStore<Document> store = MongoEntityStore.of(collection);
    MongoOutbox outbox = MongoOutbox.of(collection);
    outbox.createIndex();
    Relay relay = Relay.builder(outbox, Sender.each(message -> {})).build();
    return new Way(
        "Tidemark: in the entity's own write",
        i -> track(store, i, bare -> bare.publish("orders", TEXT)),
        () -> relay.sweep().sent());
  }

  private static <T> void track(EntityStore<T> store, int entity, UnaryOperator<Change> more) {
    Change change = more.apply(change().createIfMissing().add("total", 1));
    if (!store
        .update(MessageId.of(UUID.randomUUID()), key("order-" + entity), change)
        .isApplied()) {
      throw new IllegalStateException("not applied");
    }
  }

  private static void update(
      ClientSession session, MongoCollection<Document> entities, int entity) {
    var unused =
        entities.updateOne(
            session,
            Filters.eq("_id", "order-" + entity),
            Updates.inc("total", 1),
            new UpdateOptions().upsert(true));
  }

  private static Document message(Object outbox) {
    return new Document("_id", UUID.randomUUID().toString())
        .append("outbox", outbox)
        .append("text", TEXT);
  }

  private Way byHand() {
    MongoCollection<Document> entities = created("byhand");
    MongoCollection<Document> outbox = created("byhand-outbox");
    return new Way(
        "by hand: a transaction with a document, find, delete",
        i -> {
          try (ClientSession session = client.startSession()) {
            session.startTransaction();
            update(session, entities, i);
            var unused = outbox.insertOne(session, message("one"));
            session.commitTransaction();
          }
        },
        () -> {
          List<Object> ids =
              outbox.find().limit(MOST).map(found -> found.get("_id")).into(new ArrayList<>());
          return (int) outbox.deleteMany(Filters.in("_id", ids)).getDeletedCount();
        });
  }

  private Way massTransit() {
    AsMassTransit other = new AsMassTransit(client, created("mt-messages"), created("mt-states"));
    MongoCollection<Document> entities = created("mt");
    return new Way(
        "as MassTransit does",
        i -> other.publish(session -> update(session, entities, i), message(i)),
        other::send);
  }

  @Override
  public void close() {
    client.close();
  }
}
