package dev.tidemark.example.orderhistory.store;

import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.PageToken;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbIndex;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryConditional;
import software.amazon.awssdk.enhanced.dynamodb.model.QueryEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Queries of the index by consumer. DynamoDB filters after it has counted to the limit, so a page
 * may take several requests.
 */
final class DynamoDbQueries implements OrderQueries {
  private final DynamoDbIndex<OrderView> byConsumer;

  DynamoDbQueries(DynamoDbIndex<OrderView> byConsumer) {
    this.byConsumer = byConsumer;
  }

  @Override
  public Page ofConsumer(
      String consumerId, OrderFilter filter, int limit, @Nullable PageToken from) {
    List<OrderView> found =
        byConsumer.query(request(consumerId, filter, limit, from)).stream()
            .flatMap(page -> page.items().stream())
            .limit(limit + 1L)
            .toList();
    return Page.of(found, limit);
  }

  private static QueryEnhancedRequest request(
      String consumerId, OrderFilter filter, int limit, @Nullable PageToken from) {
    return QueryEnhancedRequest.builder()
        .queryConditional(condition(consumerId, filter))
        .filterExpression(filterOf(filter))
        .exclusiveStartKey(from == null ? null : startKey(consumerId, from))
        .scanIndexForward(false)
        .limit(limit + 1)
        .build();
  }

  private static QueryConditional condition(String consumerId, OrderFilter filter) {
    Key.Builder key = Key.builder().partitionValue(consumerId);
    return filter
        .since()
        .map(since -> QueryConditional.sortGreaterThanOrEqualTo(key.sortValue(since).build()))
        .orElseGet(() -> QueryConditional.keyEqualTo(key.build()));
  }

  private static @Nullable Expression filterOf(OrderFilter filter) {
    Expression all =
        filter
            .status()
            .map(status -> term("#status = :status", "status", ":status", status))
            .orElse(null);
    List<String> keywords = filter.keywords();
    for (int i = 0; i < keywords.size(); i++) {
      String value = ":keyword" + i;
      String contains = "contains(#keywords, " + value + ")";
      all = Expression.join(all, term(contains, "keywords", value, keywords.get(i)), " AND ");
    }
    return all;
  }

  private static Expression term(String expression, String column, String value, String text) {
    return Expression.builder()
        .expression(expression)
        .putExpressionName("#" + column, column)
        .putExpressionValue(value, AttributeValue.fromS(text))
        .build();
  }

  private static Map<String, AttributeValue> startKey(String consumerId, PageToken from) {
    return Map.of(
        "consumerId", AttributeValue.fromS(consumerId),
        "createdAt", AttributeValue.fromS(from.createdAt()),
        "orderId", AttributeValue.fromS(from.orderId()));
  }
}
