package dev.tidemark.example.orderhistory.store;

import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.PageToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
      String consumerId, OrderFilter filter, int limit, @Nullable String pageToken) {
    Limits.check(limit);
    PageToken from = PageToken.parse(pageToken);
    List<OrderView> found = new ArrayList<>();
    for (var page : byConsumer.query(request(consumerId, filter, limit, from))) {
      for (OrderView order : page.items()) {
        if (found.size() == limit) { // there is one more, so there is another page
          return Limits.page(found, true);
        }
        found.add(order);
      }
    }
    return Limits.page(found, false);
  }

  private static QueryEnhancedRequest request(
      String consumerId, OrderFilter filter, int limit, @Nullable PageToken from) {
    var request =
        QueryEnhancedRequest.builder()
            .queryConditional(condition(consumerId, filter))
            .scanIndexForward(false)
            .limit(limit + 1);
    filterOf(filter).ifPresent(request::filterExpression);
    if (from != null) {
      request.exclusiveStartKey(startKey(consumerId, from));
    }
    return request.build();
  }

  private static QueryConditional condition(String consumerId, OrderFilter filter) {
    Key.Builder key = Key.builder().partitionValue(consumerId);
    return filter
        .since()
        .map(since -> QueryConditional.sortGreaterThanOrEqualTo(key.sortValue(since).build()))
        .orElseGet(() -> QueryConditional.keyEqualTo(key.build()));
  }

  private static Optional<Expression> filterOf(OrderFilter filter) {
    List<String> terms = new ArrayList<>();
    Map<String, String> names = new HashMap<>();
    Map<String, AttributeValue> values = new HashMap<>();
    filter
        .status()
        .ifPresent(
            status -> {
              terms.add("#status = :status");
              names.put("#status", "status");
              values.put(":status", AttributeValue.fromS(status));
            });
    for (String keyword : filter.keywords()) {
      String value = ":keyword" + values.size();
      terms.add("contains(#keywords, " + value + ")");
      names.put("#keywords", "keywords");
      values.put(value, AttributeValue.fromS(keyword));
    }
    return terms.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Expression.builder()
                .expression(String.join(" AND ", terms))
                .expressionNames(names)
                .expressionValues(values)
                .build());
  }

  private static Map<String, AttributeValue> startKey(String consumerId, PageToken from) {
    return Map.of(
        "consumerId", AttributeValue.fromS(consumerId),
        "createdAt", AttributeValue.fromS(from.createdAt()),
        "orderId", AttributeValue.fromS(from.orderId()));
  }
}
