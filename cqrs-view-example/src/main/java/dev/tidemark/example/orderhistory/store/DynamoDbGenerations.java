package dev.tidemark.example.orderhistory.store;

import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** The generations in DynamoDB: two tables each, and one item that says which one serves. */
public final class DynamoDbGenerations extends StoredGenerations {
  private static final Expression IS_ABSENT =
      Expression.builder().expression("attribute_not_exists(id)").build();

  private final DynamoDbClient client;
  private final DynamoDbTables tables;
  private final @Nullable StoreListener listener;
  private final EntityStore<BoardView> board;

  /**
   * The generations of one deployment.
   *
   * @param client closed with this
   * @param prefix what the names of its tables begin with
   * @param listener told of every tracked call, or null
   * @param clock times the moment for which the serving generation is remembered
   * @param announces whether rows publish the changes of their statuses
   */
  public DynamoDbGenerations(
      DynamoDbClient client,
      String prefix,
      @Nullable StoreListener listener,
      Clock clock,
      boolean announces) {
    super(clock, announces);
    this.client = client;
    this.tables = new DynamoDbTables(client, prefix);
    this.listener = listener;
    this.board = store(tables.restaurantBoard(), Tracking.of(BoardView.class));
  }

  private <T> EntityStore<T> store(DynamoDbTable<T> table, Tracking tracking) {
    var store = DynamoDbEntityStore.builder(client, table).tracking(tracking);
    return (listener == null ? store : store.listener(listener)).build();
  }

  @Override
  OptionalInt number(String name) {
    GenerationNumber found =
        tables.generations().getItem(get -> get.key(key(name)).consistentRead(true));
    return found == null ? OptionalInt.empty() : OptionalInt.of(found.number);
  }

  private static Key key(String name) {
    return Key.builder().partitionValue(name).build();
  }

  @Override
  void put(String name, int number) {
    tables.generations().putItem(item(name, number));
  }

  @Override
  int putIfAbsent(String name, int number) {
    try {
      tables
          .generations()
          .putItem(put -> put.item(item(name, number)).conditionExpression(IS_ABSENT));
      return number;
    } catch (ConditionalCheckFailedException e) {
      return number(name).orElse(number);
    }
  }

  private static GenerationNumber item(String name, int number) {
    GenerationNumber item = new GenerationNumber();
    item.id = name;
    item.number = number;
    return item;
  }

  @Override
  void remove(String name) {
    var unused = tables.generations().deleteItem(key(name));
  }

  @Override
  ViewStore views(int number, Tracking spending) {
    DynamoDbTable<OrderView> orders = tables.orderHistory(number);
    return new ViewStore(
        store(orders, Tracking.of(OrderView.class)),
        store(tables.consumerSpending(number), spending),
        new DynamoDbQueries(orders.index(OrderView.BY_CONSUMER)));
  }

  @Override
  Optional<OutboxRecords> outbox(int number) {
    return Optional.of(tables.orderHistory(number))
        .filter(DynamoDbTables::exists)
        .map(table -> DynamoDbOutbox.of(client, table.tableName()));
  }

  @Override
  public void prepare(int number) {
    tables.create(number);
  }

  @Override
  public EntityStore<BoardView> board() {
    return board;
  }

  @Override
  public List<BoardView> restaurants() {
    return tables.restaurantBoard().scan().items().stream().toList();
  }

  @Override
  public void prepareBoard() {
    tables.createBoard();
  }

  @Override
  public RecordStore executions() {
    return DynamoDbRecordStore.of(client, tables.executions());
  }

  @Override
  public void prepareExecutions() {
    DynamoDbRecordStore.createTable(client, tables.executions());
  }

  @Override
  public void close() {
    client.close();
  }
}
