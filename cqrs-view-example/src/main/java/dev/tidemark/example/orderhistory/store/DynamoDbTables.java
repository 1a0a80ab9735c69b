package dev.tidemark.example.orderhistory.store;

import static software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType.S;

import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * The tables of one deployment: their names, keys and index. In production {@code infra} makes
 * them, and a test holds it to this class.
 *
 * <p>The index has all attributes, so that a list shows a new column without a new index. Rows
 * remember three marks, which is little to keep twice; of an entity that keeps message IDs an index
 * should include only what is listed, since every write pays for the ids again. A second index has
 * rows only while they keep outgoing messages, so it costs nothing before the first is published.
 */
public final class DynamoDbTables {
  /** The attribute on which TTL is enabled: tombstones alone have it. */
  public static final String TTL = "deletedUntil";

  private final DynamoDbClient client;
  private final DynamoDbEnhancedClient tables;
  private final String prefix;

  /**
   * The tables whose names have a prefix.
   *
   * @param client creates them
   * @param prefix what their names begin with, may be empty
   */
  public DynamoDbTables(DynamoDbClient client, String prefix) {
    this.client = client;
    this.tables = DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
    this.prefix = prefix;
  }

  /**
   * The table of a generation's order history.
   *
   * @param generation 1 or higher
   * @return which may be there or not
   */
  public DynamoDbTable<OrderView> orderHistory(int generation) {
    return tables.table(prefix + "order-history-" + generation, DynamoDbRows.ORDERS);
  }

  /**
   * The table of a generation's sums.
   *
   * @param generation 1 or higher
   * @return which may be there or not
   */
  public DynamoDbTable<SpendingView> consumerSpending(int generation) {
    return tables.table(prefix + "consumer-spending-" + generation, DynamoDbRows.SPENDING);
  }

  /**
   * The table that says which generation serves.
   *
   * @return which may be there or not
   */
  public DynamoDbTable<GenerationNumber> generations() {
    return tables.table(prefix + "generations", DynamoDbRows.GENERATIONS);
  }

  /**
   * The table of the board of restaurants.
   *
   * @return which may be there or not
   */
  public DynamoDbTable<BoardView> restaurantBoard() {
    return tables.table(prefix + "restaurant-board", DynamoDbRows.BOARD);
  }

  /**
   * The table of the records of checkouts and of their requests. The library says what it looks
   * like.
   *
   * @return its name
   */
  public String executions() {
    return prefix + "executions";
  }

  /**
   * Creates what is not there of a generation's tables, and waits for it.
   *
   * @param generation 1 or higher
   */
  public void create(int generation) {
    DynamoDbTable<OrderView> history = orderHistory(generation);
    createExpiring(history, () -> createWithOutbox(history.tableName()));
    DynamoDbTable<SpendingView> sums = consumerSpending(generation);
    createExpiring(sums, sums::createTable);
    var unused = createIfMissing(generations(), generations()::createTable);
  }

  /** Creates the board's table unless it is there, and waits for it. */
  public void createBoard() {
    createExpiring(restaurantBoard(), restaurantBoard()::createTable);
  }

  private void createExpiring(DynamoDbTable<?> table, Runnable creation) {
    if (createIfMissing(table, creation)) {
      var unused =
          client.updateTimeToLive(
              ttl ->
                  ttl.tableName(table.tableName())
                      .timeToLiveSpecification(spec -> spec.attributeName(TTL).enabled(true)));
    }
  }

  private boolean createIfMissing(DynamoDbTable<?> table, Runnable creation) {
    if (exists(table)) {
      return false;
    }
    creation.run();
    var unused = client.waiter().waitUntilTableExists(wait -> wait.tableName(table.tableName()));
    return true;
  }

  /** By the low-level client: the Enhanced Client makes no index of what rows do not map. */
  private void createWithOutbox(String table) {
    List<AttributeDefinition> attributes =
        new ArrayList<>(DynamoDbOutbox.indexAttributes(AttributeNames.defaults()));
    for (String name : List.of("orderId", "consumerId", "createdAt")) {
      attributes.add(AttributeDefinition.builder().attributeName(name).attributeType(S).build());
    }
    GlobalSecondaryIndex byConsumer =
        GlobalSecondaryIndex.builder()
            .indexName(OrderView.BY_CONSUMER)
            .keySchema(key("consumerId", KeyType.HASH), key("createdAt", KeyType.RANGE))
            .projection(all -> all.projectionType(ProjectionType.ALL))
            .build();
    var unused =
        client.createTable(
            create ->
                create
                    .tableName(table)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(attributes)
                    .keySchema(key("orderId", KeyType.HASH))
                    .globalSecondaryIndexes(
                        byConsumer, DynamoDbOutbox.index(AttributeNames.defaults())));
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }

  static boolean exists(DynamoDbTable<?> table) {
    try {
      var unused = table.describeTable();
      return true;
    } catch (ResourceNotFoundException e) {
      return false;
    }
  }
}
