package dev.tidemark.example.orderhistory.store;

import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbExecutionRecords;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/** The generations in DynamoDB: two tables each, and one item that says which one serves. */
public final class DynamoDbGenerations extends StoredGenerations {
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
    this.board =
        DynamoDbViews.store(
            client, DynamoDbViews.board(client, tables), Tracking.of(BoardView.class), listener);
  }

  @Override
  OptionalInt number(String name) {
    AttributeValue number =
        client
            .getItem(get -> get.tableName(tables.generations()).key(key(name)).consistentRead(true))
            .item()
            .get("number");
    return number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number.n()));
  }

  private static Map<String, AttributeValue> key(String name) {
    return Map.of("id", AttributeValue.fromS(name));
  }

  @Override
  void put(String name, int number) {
    var unused = client.putItem(item(name, number).build());
  }

  @Override
  int putIfAbsent(String name, int number) {
    try {
      var unused =
          client.putItem(
              item(name, number).conditionExpression("attribute_not_exists(id)").build());
      return number;
    } catch (ConditionalCheckFailedException e) {
      return number(name).orElse(number);
    }
  }

  private PutItemRequest.Builder item(String name, int number) {
    Map<String, AttributeValue> item = new HashMap<>(key(name));
    item.put("number", AttributeValue.fromN(Integer.toString(number)));
    return PutItemRequest.builder().tableName(tables.generations()).item(item);
  }

  @Override
  void remove(String name) {
    var unused = client.deleteItem(delete -> delete.tableName(tables.generations()).key(key(name)));
  }

  @Override
  ViewStore views(int number, boolean rebuilding) {
    return DynamoDbViews.of(client, tables, number, rebuilding, listener);
  }

  @Override
  Optional<OutboxRecords> outbox(int number) {
    return Optional.of(tables.orderHistory(number))
        .filter(tables::exists)
        .map(table -> DynamoDbOutbox.of(client, table));
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
    return DynamoDbViews.board(client, tables).scan().items().stream().toList();
  }

  @Override
  public void prepareBoard() {
    tables.createBoard();
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
