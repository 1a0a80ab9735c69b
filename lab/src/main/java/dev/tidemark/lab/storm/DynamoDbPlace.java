package dev.tidemark.lab.storm;

import dev.tidemark.Outcome;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbNativeUpdate;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.marks.MarkCache;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Ledgers in DynamoDB Local, in this process, reached by HTTP as the service is. */
final class DynamoDbPlace implements Place {
  private static final String TABLE = "ledgers";
  private static final TableSchema<Ledger> SCHEMA = TableSchema.fromBean(Ledger.class);
  private static final int CONNECTIONS = 32;

  private final LocalDynamoDb server = new LocalDynamoDb();
  private final TcpProxy proxy = new TcpProxy("127.0.0.1", server.uri().getPort());
  private final AtomicLong requests = new AtomicLong();
  private final DynamoDbClient direct = client(server.uri(), new AtomicLong());
  private final List<DynamoDbClient> clients = new CopyOnWriteArrayList<>();

  DynamoDbPlace() {
    table(direct).createTable();
  }

  private static DynamoDbTable<Ledger> table(DynamoDbClient client) {
    return DynamoDbEnhancedClient.builder().dynamoDbClient(client).build().table(TABLE, SCHEMA);
  }

  private static DynamoDbClient client(URI uri, AtomicLong requests) {
    ExecutionInterceptor counter =
        new ExecutionInterceptor() {
          @Override
          public void beforeTransmission(
              Context.BeforeTransmission context, ExecutionAttributes attributes) {
            requests.incrementAndGet();
          }
        };
    return DynamoDbClient.builder()
        .endpointOverride(uri)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(LocalDynamoDb.CREDENTIALS)
        .httpClientBuilder(Apache5HttpClient.builder().maxConnections(CONNECTIONS))
        .overrideConfiguration(o -> o.addExecutionInterceptor(counter))
        .build();
  }

  @Override
  public String store() {
    return "dynamodb";
  }

  @Override
  public String origin() {
    return "DynamoDB Local, in this process";
  }

  @Override
  public Node node(Clock clock, @Nullable MarkCache cache) {
    DynamoDbClient client = client(URI.create("http://127.0.0.1:" + proxy.port()), requests);
    clients.add(client);
    DynamoDbEntityStore.Builder<Ledger> builder =
        DynamoDbEntityStore.builder(client, TABLE, SCHEMA).tracking(Kind.tracking()).clock(clock);
    DynamoDbEntityStore<Ledger> store =
        (cache == null ? builder : builder.markCache(cache)).build();
    return new Node(store, event -> natively(store, event));
  }

  private static Outcome<Ledger> natively(DynamoDbEntityStore<Ledger> store, Event event) {
    boolean life = event.kind() == Kind.LIFE;
    String journal = "SET #j = list_append(if_not_exists(#j, :none), :code)";
    DynamoDbNativeUpdate update =
        DynamoDbNativeUpdate.of(journal + (life ? ", #l = :life" : "") + " ADD #s :weight")
            .name("#j", "journal")
            .name("#s", "sum")
            .value(":none", List.of())
            .value(":code", List.of(event.code()))
            .value(":weight", event.weight());
    update = life ? update.name("#l", "life").value(":life", event.position()) : update;
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
    return false;
  }

  @Override
  public long requests() {
    return requests.get();
  }

  @Override
  public List<Ledger> ledgers() {
    DynamoDbTable<Ledger> table = table(direct);
    return direct.scanPaginator(scan -> scan.tableName(TABLE).consistentRead(true)).items().stream()
        .filter(item -> !item.containsKey("deletedUntil"))
        .map(item -> table.tableSchema().mapToItem(item))
        .toList();
  }

  @Override
  public void close() {
    clients.forEach(DynamoDbClient::close);
    direct.close();
    proxy.close();
    server.close();
  }
}
