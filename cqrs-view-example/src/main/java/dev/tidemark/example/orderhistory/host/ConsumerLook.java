package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.ViewStore;
import java.time.Clock;
import java.time.YearMonth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** What a page of a consumer shows first: the newest orders, and this month's sums. */
@Component
record ConsumerLook(
    Generations generations,
    @Qualifier("lookReads") StoreReads reads,
    JsonMapper json,
    Clock clock) {
  private static final int NEWEST = 20;

  /**
   * What was seen.
   *
   * @param orders as JSON, by their ids
   * @param spending this month's
   */
  record Seen(Map<String, String> orders, OrderApi.Spending spending) {
    /** The ids of the orders that are new or other than before. */
    List<String> changedSince(Seen before) {
      return orders.entrySet().stream()
          .filter(order -> !Objects.equals(order.getValue(), before.orders.get(order.getKey())))
          .map(Map.Entry::getKey)
          .toList();
    }
  }

  Seen at(String consumerId) {
    return reads.read(() -> look(consumerId));
  }

  private Seen look(String consumerId) {
    ViewStore views = generations.current();
    Map<String, String> orders = new LinkedHashMap<>();
    var newest = views.queries().ofConsumer(consumerId, OrderFilter.ALL, NEWEST, null);
    newest.orders().forEach(row -> orders.put(row.orderId, json.writeValueAsString(row)));
    return new Seen(orders, OrderApi.Spending.of(views, consumerId, YearMonth.now(clock)));
  }
}
