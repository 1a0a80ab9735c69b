package dev.tidemark.example.orderhistory.store;

import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbExecutionRecords;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** The generations in DynamoDB: two tables each, and one item that says which one serves. */
public final class DynamoDbGenerations implements Generations {
  private static final AttributeValue SERVING = AttributeValue.fromS("serving");
  private static final AttributeValue REBUILD = AttributeValue.fromS("rebuild");

  private final DynamoDbClient client;
  private final DynamoDbTables tables;
  private final @Nullable StoreListener listener;
  private final boolean announces;
  private final ServingNumber serving;
  private final EntityStore<BoardView> board;
  private final ConcurrentMap<Integer, ViewStore> stores = new ConcurrentHashMap<>();

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
    this.client = client;
    this.announces = announces;
    this.tables = new DynamoDbTables(client, prefix);
    this.listener = listener;
    this.board =
        DynamoDbViews.store(
            client, DynamoDbViews.board(client, tables), Tracking.of(BoardView.class), listener);
    this.serving = new ServingNumber(this::stored, clock);
  }

  @Override
  public int serving() {
    return serving.get();
  }

  private int stored() {
    return number(SERVING).orElse(1);
  }

  private OptionalInt number(AttributeValue id) {
    AttributeValue number =
        client
            .getItem(
                get ->
                    get.tableName(tables.generations()).key(Map.of("id", id)).consistentRead(true))
            .item()
            .get("number");
    return number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number.n()));
  }

  @Override
  public ViewStore generation(int number) {
    return stores.computeIfAbsent(number, n -> views(n, false));
  }

  @Override
  public ViewStore rebuilding(int number) {
    return views(number, true);
  }

  private ViewStore views(int number, boolean rebuilding) {
    ViewStore views = DynamoDbViews.of(client, tables, number, rebuilding, listener);
    return AnnouncingOrders.in(views, number, rebuilding, announces);
  }

  @Override
  public void prepare(int number) {
    tables.create(number);
  }

  @Override
  public void serve(int number) {
    var unused = client.putItem(put(SERVING, number).build());
    serving.forget();
  }

  @Override
  public int beginRebuild() {
    int next = stored() + 1;
    try {
      var unused =
          client.putItem(
              put(REBUILD, next).conditionExpression("attribute_not_exists(id)").build());
      return next;
    } catch (ConditionalCheckFailedException e) {
      return number(REBUILD).orElse(next);
    }
  }

  @Override
  public void endRebuild() {
    var unused =
        client.deleteItem(
            delete -> delete.tableName(tables.generations()).key(Map.of("id", REBUILD)));
  }

  private PutItemRequest.Builder put(AttributeValue id, int number) {
    AttributeValue value = AttributeValue.fromN(Integer.toString(number));
    return PutItemRequest.builder()
        .tableName(tables.generations())
        .item(Map.of("id", id, "number", value));
  }

  @Override
  public ResumableViews resumable() {
    return new DynamoDbResumableViews(client, tables.generations(), this);
  }

  @Override
  public boolean announces() {
    return announces;
  }

  @Override
  public EntityStore<BoardView> board() {
    return board;
  }

  @Override
  public List<BoardView> restaurants() {
    return DynamoDbViews.board(client, tables).scan().items().stream().toList();
  }

  @Override
  public void prepareBoard() {
    tables.createBoard();
  }

  @Override
  public List<OutboxRecords> outboxes() {
    int now = serving();
    return IntStream.rangeClosed(Math.max(1, now - 1), now)
        .mapToObj(tables::orderHistory)
        .filter(tables::exists)
        .<OutboxRecords>map(table -> DynamoDbOutbox.of(client, table))
        .toList();
  }

  @Override
  public ExecutionRecords executions() {
    return DynamoDbExecutionRecords.of(client, tables.executions());
  }

  @Override
  public void prepareExecutions() {
    DynamoDbExecutionRecords.createTable(client, tables.executions());
  }

  @Override
  public void close() {
    client.close();
  }
}
