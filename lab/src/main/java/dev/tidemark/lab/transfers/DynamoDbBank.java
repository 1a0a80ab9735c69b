package dev.tidemark.lab.transfers;

import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbTransaction;
import dev.tidemark.dynamodb.TransactionWrites;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.lab.transfers.Transfer.Told;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Accounts in DynamoDB Local, in this process, reached by HTTP as the service is. */
final class DynamoDbBank implements Bank {
  private static final String TRACKED = "accounts";
  private static final String PLAIN = "plainAccounts";
  private static final String INBOX = "inbox";
  private static final TableSchema<Account> SCHEMA = TableSchema.fromBean(Account.class);

  private final LocalDynamoDb server = new LocalDynamoDb();
  private final TcpProxy proxy = new TcpProxy("127.0.0.1", server.uri().getPort());
  private final LongAdder requests = new LongAdder();
  private final DynamoDbClient direct = LocalDynamoDb.client(server.uri());
  private final List<DynamoDbClient> clients = new CopyOnWriteArrayList<>();

  DynamoDbBank() {
    DynamoDbEnhancedClient tables = DynamoDbEnhancedClient.builder().dynamoDbClient(direct).build();
    tables.table(TRACKED, SCHEMA).createTable();
    tables.table(PLAIN, SCHEMA).createTable();
    DynamoDbInbox.createTable(direct, INBOX);
  }

  @Override
  public Teller teller(boolean claims) {
    URI uri = URI.create("http://127.0.0.1:" + proxy.port());
    DynamoDbClient client = LocalDynamoDb.client(uri, requests);
    clients.add(client);
    DynamoDbEntityStore<Account> accounts = DynamoDbEntityStore.of(client, TRACKED, SCHEMA);
    DynamoDbInbox.Builder settings = DynamoDbInbox.builder(client, INBOX, "bank");
    DynamoDbInbox inbox = (claims ? settings.claimingFor(Answers.CLAIM) : settings).build();
    return transfer ->
        transfer.isTracked() ? committed(client, accounts, transfer) : handled(inbox, transfer);
  }

  private static Told committed(
      DynamoDbClient client, DynamoDbEntityStore<Account> accounts, Transfer transfer) {
    DynamoDbTransaction transaction = DynamoDbTransaction.on(client);
    transfer.writes().forEach(write -> transaction.write(accounts, write));
    return Answers.of(transaction.commit());
  }

  private static Told handled(DynamoDbInbox inbox, Transfer transfer) {
    return Answers.of(
        inbox.handle(
            transfer.message(),
            writes -> {
              transfer.changes().forEach((id, by) -> add(writes, id, by));
              return "made";
            }));
  }

  private static void add(TransactionWrites writes, String id, long by) {
    writes.update(
        update ->
            update
                .tableName(PLAIN)
                .key(Map.of("id", AttributeValue.fromS(id)))
                .updateExpression("ADD cents :by, times :one")
                .expressionAttributeValues(
                    Map.of(
                        ":by", AttributeValue.fromN("" + by), ":one", AttributeValue.fromN("1"))));
  }

  @Override
  public Map<String, Account> rows() {
    Map<String, Account> rows = new HashMap<>();
    for (String table : List.of(TRACKED, PLAIN)) {
      direct.scanPaginator(scan -> scan.tableName(table).consistentRead(true)).items().stream()
          .map(SCHEMA::mapToItem)
          .forEach(account -> rows.put(account.getId(), account));
    }
    return rows;
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
  public TcpProxy proxy() {
    return proxy;
  }

  @Override
  public boolean stepDown() {
    return false;
  }

  @Override
  public long requests() {
    return requests.sum();
  }

  @Override
  public void close() {
    clients.forEach(DynamoDbClient::close);
    direct.close();
    proxy.close();
    server.close();
  }
}
