package dev.tidemark.example.orderhistory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderQueries.Page;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.PageToken;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Queries of the order history")
class OrderQueriesTest {

  /** Orders 0 to 9 of Ada, a minute apart; every third is cancelled, the last one has sushi. */
  private static OrderQueries ofAda(Generations generations) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      events.add(i < 9 ? Samples.created("order-" + i, "ada", i) : sushi("order-9", 9));
      if (i % 3 == 0) {
        events.add(Samples.cancelled("order-" + i, "ada", 30));
      }
    }
    events.add(Samples.created("order-of-bob", "bob", 5));
    assertTrue(
        new Views(generations.current())
            .apply(events.stream().map(e -> Delivery.of(e.place(), e)).toList())
            .isDone());
    return generations.current().queries();
  }

  private static OrderCreated sushi(String orderId, int minutes) {
    return new OrderCreated(
        UUID.randomUUID().toString(),
        orderId,
        1,
        Samples.at(minutes),
        "ada",
        "Blue Fin",
        List.of(new OrderLine("Sushi Box (12)", 1, 2_000)));
  }

  private static String ids(Page page) {
    return page.orders().stream()
        .map(row -> row.orderId)
        .map(id -> id.replace("order-", ""))
        .toList()
        .toString();
  }

  private static Page ask(OrderQueries queries, OrderFilter filter) {
    return queries.ofConsumer("ada", filter, 20, null);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("list a consumer's own orders, newest first")
  void newestFirst(LocalStore store) {
    try (Generations generations = store.prepared()) {
      OrderQueries queries = ofAda(generations);
      Page page = ask(queries, OrderFilter.ALL);
      assertEquals("[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]", ids(page));
      assertTrue(page.next().isEmpty());
      assertEquals("[]", ids(queries.ofConsumer("nobody", OrderFilter.ALL, 20, null)));
      OrderView order = page.orders().get(1);
      assertEquals("The Wooden Spoon", order.restaurant);
      assertEquals(2, order.lines.size());
      assertEquals(1_700, order.total);
      assertEquals("CREATED", order.timeline.get(0).status());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("filter by date, by status, by a word of restaurant or lines, and by all of them")
  void filters(LocalStore store) {
    try (Generations generations = store.prepared()) {
      OrderQueries queries = ofAda(generations);
      assertEquals("[9, 8, 7]", ids(ask(queries, new OrderFilter(Samples.at(7), null, null))));
      assertEquals("[9, 6, 3, 0]", ids(ask(queries, new OrderFilter(null, "CANCELLED", null))));
      assertEquals("[9]", ids(ask(queries, new OrderFilter(null, null, "Sushi"))));
      assertEquals("[9]", ids(ask(queries, new OrderFilter(null, null, "12"))));
      assertEquals("[9]", ids(ask(queries, new OrderFilter(null, null, " box (12)  fin "))));
      assertEquals("[]", ids(ask(queries, new OrderFilter(null, null, "sushi spoon"))));
      assertEquals(
          "[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]", ids(ask(queries, new OrderFilter(null, null, " - "))));
      assertEquals("[]", ids(ask(queries, new OrderFilter(null, null, "sush"))));
      assertEquals(
          "[3]",
          ids(
              queries.ofConsumer(
                  "ada", new OrderFilter(Samples.at(1), "CANCELLED", "spoon"), 1, token(6))));
    }
  }

  private static PageToken token(int order) {
    return new PageToken(OrderView.time(Samples.at(order)), "order-" + order);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("come in pages that leave nothing out and show nothing twice, filtered or not")
  void pages(LocalStore store) {
    try (Generations generations = store.prepared()) {
      OrderQueries queries = ofAda(generations);
      for (int limit = 1; limit <= 11; limit++) {
        assertEquals("9876543210", pages(queries, OrderFilter.ALL, limit));
        assertEquals("9630", pages(queries, new OrderFilter(null, "CANCELLED", null), limit));
        assertEquals("987", pages(queries, new OrderFilter(Samples.at(7), null, null), limit));
      }
    }
  }

  private static String pages(OrderQueries queries, OrderFilter filter, int limit) {
    StringBuilder all = new StringBuilder();
    @Nullable PageToken token = null;
    do {
      Page page = queries.ofConsumer("ada", filter, limit, token);
      assertTrue(page.orders().size() == limit || page.next().isEmpty());
      page.orders().forEach(order -> all.append(order.orderId.charAt(6)));
      token = page.next().map(next -> PageToken.parse(next.toString())).orElse(null);
    } while (token != null);
    return all.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "%", "abc", "MjAyNi0xMS0yMVQyMDozMDowMC4wMDBa"})
  @DisplayName("have tokens, and no page gave this one")
  void refuse(String token) {
    assertThrows(IllegalArgumentException.class, () -> PageToken.parse(token));
  }
}
