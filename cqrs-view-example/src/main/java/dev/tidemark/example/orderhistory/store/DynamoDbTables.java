package dev.tidemark.example.orderhistory.store;

import static software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType.S;

import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
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
  private final String prefix;

  /**
   * The tables whose names have a prefix.
   *
   * @param client creates them
   * @param prefix what their names begin with, may be empty
   */
  public DynamoDbTables(DynamoDbClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  /**
   * The table of a generation's order history.
   *
   * @param generation 1 or higher
   * @return its name
   */
  public String orderHistory(int generation) {
    return prefix + "order-history-" + generation;
  }

  /**
   * The table of a generation's sums.
   *
   * @param generation 1 or higher
   * @return its name
   */
  public String consumerSpending(int generation) {
    return prefix + "consumer-spending-" + generation;
  }

  /**
   * The table that says which generation serves.
   *
   * @return its name
   */
  public String generations() {
    return prefix + "generations";
  }

  /**
   * The table of the board of restaurants.
   *
   * @return its name
   */
  public String restaurantBoard() {
    return prefix + "restaurant-board";
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
    create(
        history(generation), keyed(consumerSpending(generation), "id"), keyed(generations(), "id"));
  }

  /** Creates the board's table unless it is there, and waits for it. */
  public void createBoard() {
    create(keyed(restaurantBoard(), "restaurant"));
  }

  private void create(CreateTableRequest... tables) {
    List<CreateTableRequest> missing =
        Stream.of(tables).filter(table -> !exists(table.tableName())).toList();
    List<String> created = new ArrayList<>();
    for (CreateTableRequest table : missing) {
      created.add(client.createTable(table).tableDescription().tableName());
    }
    for (String table : created) {
      var unused = client.waiter().waitUntilTableExists(wait -> wait.tableName(table));
      if (!table.equals(generations())) {
        enableTtl(table);
      }
    }
  }

  private void enableTtl(String table) {
    var unused =
        client.updateTimeToLive(
            ttl ->
                ttl.tableName(table)
                    .timeToLiveSpecification(spec -> spec.attributeName(TTL).enabled(true)));
  }

  boolean exists(String table) {
    try {
      var unused = client.describeTable(describe -> describe.tableName(table));
      return true;
    } catch (ResourceNotFoundException e) {
      return false;
    }
  }

  private CreateTableRequest history(int generation) {
    List<AttributeDefinition> attributes =
        new ArrayList<>(List.of(text("orderId"), text("consumerId"), text("createdAt")));
    attributes.addAll(DynamoDbOutbox.indexAttributes(AttributeNames.defaults()));
    return keyed(orderHistory(generation), "orderId").toBuilder()
        .attributeDefinitions(attributes)
        .globalSecondaryIndexes(
            GlobalSecondaryIndex.builder()
                .indexName(OrderView.BY_CONSUMER)
                .keySchema(key("consumerId", KeyType.HASH), key("createdAt", KeyType.RANGE))
                .projection(p -> p.projectionType(ProjectionType.ALL))
                .build(),
            DynamoDbOutbox.index(AttributeNames.defaults()))
        .build();
  }

  private static CreateTableRequest keyed(String table, String key) {
    return CreateTableRequest.builder()
        .tableName(table)
        .billingMode(BillingMode.PAY_PER_REQUEST)
        .attributeDefinitions(text(key))
        .keySchema(key(key, KeyType.HASH))
        .build();
  }

  private static AttributeDefinition text(String name) {
    return AttributeDefinition.builder().attributeName(name).attributeType(S).build();
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }
}
