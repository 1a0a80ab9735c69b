package dev.tidemark.lab.orders;

import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.example.orderhistory.store.DynamoDbRows;
import dev.tidemark.example.orderhistory.store.DynamoDbTables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Rows in DynamoDB under a guard by hand: the highest version of each aggregate, or the ids of all
 * events, and a revision for rows that are read, changed and put back. It knows no bounds, windows,
 * deletes or lost replies.
 */
final class HandWrittenDynamoDb<T> extends ContrastStore<T> {
  private static final String REVISION = "revision";
  private static final AttributeValue ONE = AttributeValue.fromN("1");

  private final DynamoDbClient client;
  private final String table;
  private final TableSchema<T> schema;
  private final BiConsumer<T, String> key;

  private HandWrittenDynamoDb(
      DynamoDbClient client, String table, TableSchema<T> schema, BiConsumer<T, String> key) {
    super(schema.itemType().rawClass());
    this.client = client;
    this.table = table;
    this.schema = schema;
    this.key = key;
  }

  static OpenViews views(DynamoDbClient client, String prefix) {
    DynamoDbTables tables = new DynamoDbTables(client, prefix);
    return OpenViews.contrast(
        new HandWrittenDynamoDb<>(
            client,
            tables.orderHistory(1).tableName(),
            DynamoDbRows.ORDERS,
            (row, id) -> row.orderId = id),
        new HandWrittenDynamoDb<>(
            client,
            tables.consumerSpending(1).tableName(),
            DynamoDbRows.SPENDING,
            (row, id) -> row.id = id),
        client::close);
  }

  /** How a row remembers a message. */
  private record Seen(String attribute, Map<String, AttributeValue> values, boolean byId) {
    static Seen of(Message message) {
      if (message instanceof SourceEvent event) {
        return new Seen(
            "seen." + event.source().type() + "/" + event.source().id(),
            Map.of(":seen", AttributeValue.fromN(event.position().toString())),
            false);
      }
      String id = ((MessageId) message).value();
      return new Seen(
          "seen",
          Map.of(":seen", AttributeValue.fromSs(List.of(id)), ":id", AttributeValue.fromS(id)),
          true);
    }

    String isFresh() {
      return byId ? "NOT contains(#seen, :id)" : "(attribute_not_exists(#seen) OR #seen < :seen)";
    }

    String update() {
      return byId ? ", #seen :seen" : " SET #seen = :seen"; // goes on from ADD
    }

    boolean isIn(Map<String, AttributeValue> item) {
      AttributeValue found = item.get(attribute);
      AttributeValue position = values.getOrDefault(":seen", ONE);
      return found != null && Long.parseLong(found.n()) >= Long.parseLong(position.n());
    }
  }

  @Override
  Optional<T> get(String id) {
    return Optional.of(item(id)).filter(item -> !item.isEmpty()).map(schema::mapToItem);
  }

  private Map<String, AttributeValue> item(String id) {
    return client.getItem(get -> get.tableName(table).key(keyOf(id)).consistentRead(true)).item();
  }

  private Map<String, AttributeValue> keyOf(String id) {
    return Map.of(schema.tableMetadata().primaryPartitionKey(), AttributeValue.fromS(id));
  }

  @Override
  Outcome<T> add(Message message, String id, Map<String, Number> amounts) {
    Seen seen = Seen.of(message);
    Map<String, String> names = new HashMap<>(Map.of("#seen", seen.attribute(), "#rev", REVISION));
    Map<String, AttributeValue> values = new HashMap<>(seen.values());
    values.put(":one", ONE);
    amounts.forEach(
        (name, amount) -> {
          names.put("#" + name, name);
          values.put(":" + name, AttributeValue.fromN(amount.toString()));
        });
    String adds =
        amounts.keySet().stream()
            .map(name -> ", #" + name + " :" + name)
            .collect(Collectors.joining("", "ADD #rev :one", seen.update()));
    try {
      var unused =
          client.updateItem(
              update ->
                  update
                      .tableName(table)
                      .key(keyOf(id))
                      .updateExpression(adds)
                      .conditionExpression(seen.isFresh())
                      .expressionAttributeNames(names)
                      .expressionAttributeValues(values));
      return applied();
    } catch (ConditionalCheckFailedException e) {
      return duplicate();
    }
  }

  @Override
  Outcome<T> change(Message message, String id, Supplier<T> initial, UnaryOperator<T> function) {
    Seen seen = Seen.of(message);
    while (true) {
      Map<String, AttributeValue> item = item(id);
      if (seen.isIn(item)) {
        return duplicate();
      }
      T row = item.isEmpty() ? initial.get() : schema.mapToItem(item);
      key.accept(row, id);
      Map<String, AttributeValue> next = new HashMap<>(item);
      next.putAll(schema.itemToMap(function.apply(row), true));
      next.put(seen.attribute(), seen.values().getOrDefault(":seen", ONE));
      if (isPut(next, item.get(REVISION))) {
        return applied();
      }
    }
  }

  /** Puts a row in the place of the one that was read; false if another writer came between. */
  private boolean isPut(Map<String, AttributeValue> next, @Nullable AttributeValue revision) {
    long before = revision == null ? 0 : Long.parseLong(revision.n());
    next.put(REVISION, AttributeValue.fromN(Long.toString(before + 1)));
    try {
      var unused =
          client.putItem(
              put ->
                  put.tableName(table)
                      .item(next)
                      .conditionExpression(
                          revision == null ? "attribute_not_exists(#rev)" : "#rev = :rev")
                      .expressionAttributeNames(Map.of("#rev", REVISION))
                      .expressionAttributeValues(
                          revision == null ? null : Map.of(":rev", revision)));
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
  }
}
