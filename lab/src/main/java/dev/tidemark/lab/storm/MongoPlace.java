package dev.tidemark.lab.storm;

import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;
import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.Outcome;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoNativeUpdate;
import dev.tidemark.servers.MongoProcess;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Ledgers in a replica set of three. */
final class MongoPlace implements Place {
  private final MongoProcess set;
  private final TcpProxy proxy = TcpProxy.socks();
  private final AtomicLong requests = new AtomicLong();
  private final MongoClient direct;
  private final List<MongoClient> clients = new CopyOnWriteArrayList<>();

  /** Starts servers whose data is in an empty folder. */
  MongoPlace(Path folder) {
    set = MongoProcess.start(folder, 3);
    direct = MongoClients.create(set.uri());
    ledgers(direct).insertOne(new Ledger()); // so that the collection is there
    ledgers(direct).deleteMany(exists("_id"));
  }

  private static MongoCollection<Ledger> ledgers(MongoClient client) {
    return client
        .getDatabase("storm")
        .withCodecRegistry(
            fromRegistries(
                MongoClientSettings.getDefaultCodecRegistry(),
                fromProviders(PojoCodecProvider.builder().automatic(true).build())))
        .getCollection("ledgers", Ledger.class);
  }

  /** Through the proxy; the driver looks for another primary without a pause. */
  private MongoClient client() {
    CommandListener counter =
        new CommandListener() {
          @Override
          public void commandStarted(CommandStartedEvent event) {
            requests.incrementAndGet();
          }
        };
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(set.uri()))
            .applyToSocketSettings(
                socket -> socket.applyToProxySettings(p -> p.host("127.0.0.1").port(proxy.port())))
            .applyToServerSettings(s -> s.minHeartbeatFrequency(20, TimeUnit.MILLISECONDS))
            .addCommandListener(counter)
            .build());
  }

  @Override
  public String store() {
    return "mongodb";
  }

  @Override
  public String origin() {
    return set.origin();
  }

  @Override
  public Node node(Clock clock, @Nullable MarkCache cache) {
    MongoClient client = client();
    clients.add(client);
    MongoEntityStore.Builder<Ledger> builder =
        MongoEntityStore.builder(ledgers(client)).tracking(Kind.tracking()).clock(clock);
    MongoEntityStore<Ledger> store = (cache == null ? builder : builder.markCache(cache)).build();
    return new Node(store, event -> natively(store, event));
  }

  private static Outcome<Ledger> natively(MongoEntityStore<Ledger> store, Event event) {
    List<Bson> operators =
        new ArrayList<>(List.of(push("journal", event.code()), inc("sum", event.weight())));
    if (event.kind() == Kind.LIFE) {
      operators.add(set("life", (long) event.position()));
    }
    MongoNativeUpdate update = MongoNativeUpdate.of(combine(operators));
    update = event.creates() ? update.createIfMissing() : update;
    update = event.revives() ? update.recreate() : update;
    return store.update(event.message(), event.key(), update.returning());
  }

  @Override
  public TcpProxy proxy() {
    return proxy;
  }

  @Override
  public boolean stepDown() {
    return set.stepDown();
  }

  @Override
  public long requests() {
    return requests.get();
  }

  @Override
  public List<Ledger> ledgers() {
    return ledgers(direct).find(exists("deletedUntil", false)).into(new ArrayList<>());
  }

  @Override
  public void close() {
    clients.forEach(MongoClient::close);
    direct.close();
    proxy.close();
    set.close();
  }
}
