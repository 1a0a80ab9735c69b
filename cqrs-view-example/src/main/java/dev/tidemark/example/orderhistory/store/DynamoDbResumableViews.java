package dev.tidemark.example.orderhistory.store;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Keeps the token in an item beside the number of the generation: one small write for each batch.
 * DynamoDB could not find the greatest of the rows' tokens without an index that has them all under
 * one key.
 */
final class DynamoDbResumableViews implements ResumableViews {
  private final DynamoDbClient client;
  private final String table;
  private final Generations generations;
  private @Nullable String stored;

  DynamoDbResumableViews(DynamoDbClient client, String table, Generations generations) {
    this.client = client;
    this.table = table;
    this.generations = generations;
  }

  @Override
  public Optional<String> resumeToken() {
    Map<String, AttributeValue> id = id(generations.serving());
    return Optional.ofNullable(
            client
                .getItem(get -> get.tableName(table).key(id).consistentRead(true))
                .item()
                .get("token"))
        .map(AttributeValue::s);
  }

  @Override
  public BatchOutcome<?> apply(List<Delivery> deliveries, @Nullable String token) {
    int serving = generations.serving();
    if (token != null && !token.equals(stored)) {
      AttributeValue id = id(serving).get("id");
      Map<String, AttributeValue> item = Map.of("id", id, "token", AttributeValue.fromS(token));
      var unused = client.putItem(put -> put.tableName(table).item(item));
      stored = token;
    }
    return new Views(generations.generation(serving)).apply(deliveries);
  }

  private static Map<String, AttributeValue> id(int generation) {
    return Map.of("id", AttributeValue.fromS("change-stream-" + generation));
  }
}
