package dev.tidemark.lab.orders;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.example.orderhistory.store.DynamoDbRows;
import dev.tidemark.example.orderhistory.store.DynamoDbTables;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Rows in DynamoDB that remember nothing: {@code GetItem}, {@code PutItem}, and {@code UpdateItem}
 * to add, all without a condition, as most handlers do.
 */
final class UntrackedDynamoDb<T> extends ContrastStore<T> {
  private final DynamoDbClient client;
  private final DynamoDbTable<T> table;
  private final BiConsumer<T, String> key;

  private UntrackedDynamoDb(
      DynamoDbClient client, String table, TableSchema<T> schema, BiConsumer<T, String> key) {
    super(schema.itemType().rawClass());
    this.client = client;
    this.key = key;
    this.table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions()
            .build()
            .table(table, schema);
  }

  static OpenViews views(DynamoDbClient client, String prefix) {
    DynamoDbTables tables = new DynamoDbTables(client, prefix);
    return OpenViews.contrast(
        new UntrackedDynamoDb<>(
            client,
            tables.orderHistory(1).tableName(),
            DynamoDbRows.ORDERS,
            (row, id) -> row.orderId = id),
        new UntrackedDynamoDb<>(
            client,
            tables.consumerSpending(1).tableName(),
            DynamoDbRows.SPENDING,
            (row, id) -> row.id = id),
        client::close);
  }

  @Override
  Optional<T> get(String id) {
    return Optional.ofNullable(table.getItem(Key.builder().partitionValue(id).build()));
  }

  @Override
  Outcome<T> change(Message message, String id, Supplier<T> initial, UnaryOperator<T> function) {
    T row = get(id).orElseGet(initial);
    key.accept(row, id);
    table.putItem(function.apply(row));
    return applied();
  }

  @Override
  Outcome<T> add(Message message, String id, Map<String, Number> amounts) {
    String keyName = table.tableSchema().tableMetadata().primaryPartitionKey();
    var unused =
        client.updateItem(
            update ->
                update
                    .tableName(table.tableName())
                    .key(Map.of(keyName, AttributeValue.fromS(id)))
                    .updateExpression(
                        amounts.keySet().stream()
                            .map(name -> "#" + name + " :" + name)
                            .collect(joining(", ", "ADD ", "")))
                    .expressionAttributeNames(
                        amounts.keySet().stream().collect(toMap(name -> "#" + name, n -> n)))
                    .expressionAttributeValues(
                        amounts.entrySet().stream()
                            .collect(
                                toMap(
                                    amount -> ":" + amount.getKey(),
                                    amount ->
                                        AttributeValue.fromN(amount.getValue().toString())))));
    return applied();
  }
}
