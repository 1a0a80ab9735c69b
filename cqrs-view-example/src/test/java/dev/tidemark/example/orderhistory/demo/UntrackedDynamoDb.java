package dev.tidemark.example.orderhistory.demo;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.store.DynamoDbTables;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Untracked rows in DynamoDB: {@code GetItem}, {@code PutItem}, and {@code UpdateItem} to add. */
final class UntrackedDynamoDb<T> extends UntrackedStore<T> {
  private final DynamoDbClient client;
  private final DynamoDbTable<T> table;

  private UntrackedDynamoDb(
      DynamoDbClient client,
      String table,
      Class<T> type,
      BiConsumer<T, String> key,
      Consumer<Map<String, Long>> counts) {
    super(type, key, counts);
    this.client = client;
    this.table =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions()
            .build()
            .table(table, TableSchema.fromBean(type));
  }

  static OpenViews views(DynamoDbClient client, String prefix, Consumer<Map<String, Long>> counts) {
    DynamoDbTables tables = new DynamoDbTables(client, prefix);
    return OpenViews.untracked(
        new UntrackedDynamoDb<>(
            client, tables.orderHistory(1), OrderView.class, OrderView::setOrderId, counts),
        new UntrackedDynamoDb<>(
            client, tables.consumerSpending(1), SpendingView.class, SpendingView::setId, c -> {}),
        client::close);
  }

  @Override
  Optional<T> get(String id) {
    return Optional.ofNullable(table.getItem(Key.builder().partitionValue(id).build()));
  }

  @Override
  void put(String id, T row) {
    table.putItem(row);
  }

  @Override
  void add(String id, Map<String, Number> amounts) {
    String key = table.tableSchema().tableMetadata().primaryPartitionKey();
    var unused =
        client.updateItem(
            update ->
                update
                    .tableName(table.tableName())
                    .key(Map.of(key, AttributeValue.fromS(id)))
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
  }
}
