package dev.tidemark.lab.transfers;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.lab.transfers.Transfer.Told;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.mongodb.MongoTransaction;
import dev.tidemark.mongodb.SessionCollection;
import dev.tidemark.servers.MongoProcess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.Document;
import org.bson.codecs.pojo.PojoCodecProvider;

/** Accounts in a replica set of three. */
final class MongoBank implements Bank {
  private static final String TRACKED = "accounts";
  private static final String PLAIN = "plainAccounts";
  private static final String INBOX = "inbox";

  private final MongoProcess set;
  private final TcpProxy proxy = TcpProxy.socks();
  private final AtomicLong requests = new AtomicLong();
  private final MongoClient direct;
  private final List<MongoClient> clients = new CopyOnWriteArrayList<>();

  /** Starts servers whose data is in an empty folder. */
  MongoBank(Path folder) {
    set = MongoProcess.start(folder, 3);
    direct = MongoClients.create(set.uri());
    MongoDatabase database = database(direct);
    database.createCollection(TRACKED);
    database.createCollection(PLAIN);
    MongoInbox.createIndex(database, INBOX);
  }

  private static MongoDatabase database(MongoClient client) {
    return client
        .getDatabase("bank")
        .withCodecRegistry(
            fromRegistries(
                MongoClientSettings.getDefaultCodecRegistry(),
                fromProviders(PojoCodecProvider.builder().automatic(true).build())));
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
            .applyToClusterSettings(c -> c.serverSelectionTimeout(3, TimeUnit.SECONDS))
            .addCommandListener(counter)
            .build());
  }

  @Override
  public Teller teller(boolean claims) {
    MongoClient client = client();
    clients.add(client);
    MongoDatabase database = database(client);
    MongoEntityStore<Account> accounts =
        MongoEntityStore.of(database.getCollection(TRACKED, Account.class));
    MongoInbox.Builder settings = MongoInbox.builder(client, database, INBOX, "bank");
    MongoInbox inbox = (claims ? settings.claimingFor(Answers.CLAIM) : settings).build();
    return transfer ->
        transfer.isTracked() ? committed(client, accounts, transfer) : handled(inbox, transfer);
  }

  private static Told committed(
      MongoClient client, MongoEntityStore<Account> accounts, Transfer transfer) {
    MongoTransaction transaction = MongoTransaction.on(client);
    transfer.writes().forEach(write -> transaction.write(accounts, write));
    return Answers.of(transaction.commit());
  }

  private static Told handled(MongoInbox inbox, Transfer transfer) {
    return Answers.of(
        inbox.handle(
            transfer.message(),
            all -> {
              SessionCollection<Document> plain = all.collection(PLAIN);
              transfer
                  .changes()
                  .forEach(
                      (id, by) ->
                          plain.updateOne(
                              eq("_id", id),
                              combine(inc("cents", by), inc("times", 1L)),
                              new UpdateOptions().upsert(true)));
              return "made";
            }));
  }

  @Override
  public Map<String, Account> rows() {
    Map<String, Account> rows = new HashMap<>();
    for (String name : List.of(TRACKED, PLAIN)) {
      MongoCollection<Account> all = database(direct).getCollection(name, Account.class);
      all.find().forEach(account -> rows.put(account.getId(), account));
    }
    return rows;
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
  public void close() {
    clients.forEach(MongoClient::close);
    direct.close();
    proxy.close();
    set.close();
  }
}
