package dev.tidemark.example.orderhistory;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.Delivery;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The views")
class ViewsTest {
  private static final YearMonth MONTH = YearMonth.from(Samples.START.atOffset(ZoneOffset.UTC));

  private static List<Delivery> deliveries(List<Event> events) {
    return events.stream().map(event -> Delivery.of(event.place(), event)).toList();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("show an order and what it cost its consumer, in whatever order its events come")
  void anyOrder(LocalStore store) {
    try (Generations generations = store.prepared()) {
      ViewStore views = generations.current();
      Random random = new Random(5);
      for (int i = 0; i < 20; i++) {
        List<Event> events = new ArrayList<>(Samples.delivered("order-" + i, "consumer-" + i));
        Collections.shuffle(events, random);
        int cut = random.nextInt(events.size());
        assertTrue(new Views(views).apply(deliveries(events.subList(0, cut))).isDone());
        assertTrue(new Views(views).apply(deliveries(events.subList(cut, 7))).isDone());
        OrderView row = views.orders().find(key("order-" + i)).orElseThrow();
        assertEquals("consumer-" + i, row.consumerId);
        assertEquals("The Wooden Spoon", row.restaurant);
        assertEquals(
            List.of(new OrderLine("Ramen", 2, 1_200), new OrderLine("Green Tea", 1, 500)),
            row.lines);
        assertEquals(1_950, row.total);
        assertEquals(250, row.tips);
        assertEquals("Kim", row.courier);
        assertEquals("DELIVERED", row.status);
        assertEquals(
            List.of("CREATED", "ACCEPTED", "COURIER_ASSIGNED", "READY", "PICKED_UP", "DELIVERED"),
            row.timeline.stream().map(TimelineStep::status).toList());
        SpendingView sum =
            views.spending().find(ConsumerSpending.row("consumer-" + i, MONTH)).orElseThrow();
        assertEquals(1, sum.orders);
        assertEquals(1_700, sum.spent);
        assertEquals(250, sum.tips);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("show the courier who took over last, in whatever order assignments come")
  void couriers(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Views views = new Views(generations.current());
      for (List<Integer> versions : List.of(List.of(2, 1, 3), List.of(3, 2, 1), List.of(2, 3, 1))) {
        String order = "order-" + versions;
        for (int version : versions) { // the last two in one minute
          String courier = List.of("Kim", "Noor", "Ada").get(version - 1);
          Event event = Samples.assigned(order, version, Math.min(2, version), courier);
          assertTrue(views.apply(deliveries(List.of(event))).isDone());
        }
        OrderView row = generations.current().orders().find(key(order)).orElseThrow();
        assertEquals("Ada", row.courier, order);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("are not changed by events that come again")
  void repeats(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Views views = new Views(generations.current());
      List<Event> events = Samples.delivered("order-1", "consumer-1");
      assertTrue(views.apply(deliveries(events)).isDone());
      for (Result<?> again : views.apply(deliveries(events)).results()) {
        Outcome<?> outcome = assertInstanceOf(Result.Judged.class, again).outcome();
        assertTrue(outcome.isDone());
      }
      OrderView row = generations.current().orders().find(key("order-1")).orElseThrow();
      assertEquals(1_950, row.total);
      assertEquals(6, row.timeline.size());
      SpendingView sum =
          generations
              .current()
              .spending()
              .find(ConsumerSpending.row("consumer-1", MONTH))
              .orElseThrow();
      assertEquals(1, sum.orders);
      assertEquals(250, sum.tips);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("list no order before the event that creates it, and lose none that came earlier")
  void early(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Views views = new Views(generations.current());
      List<Event> events = Samples.delivered("order-1", "consumer-1");
      assertTrue(views.apply(deliveries(events.subList(1, 7))).isDone());
      OrderView early = generations.current().orders().find(key("order-1")).orElseThrow();
      assertNull(early.consumerId);
      assertEquals("DELIVERED", early.status);
      OrderQueries queries = generations.current().queries();
      assertEquals(List.of(), queries.ofConsumer("consumer-1", OrderFilter.ALL, 10, null).orders());
      assertTrue(views.apply(deliveries(events.subList(0, 1))).isDone());
      OrderView listed =
          queries.ofConsumer("consumer-1", OrderFilter.ALL, 10, null).orders().get(0);
      assertEquals("DELIVERED", listed.status);
      assertEquals(1_950, listed.total);
      assertEquals(6, listed.timeline.size());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("count a cancelled order's refund once")
  void refund(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Views views = new Views(generations.current());
      List<Event> events =
          List.of(
              Samples.created("order-1", "consumer-1", 0),
              Samples.cancelled("order-1", "consumer-1", 5));
      assertTrue(views.apply(deliveries(events)).isDone());
      assertTrue(views.apply(deliveries(events)).isDone());
      OrderView row = generations.current().orders().find(key("order-1")).orElseThrow();
      assertEquals("CANCELLED", row.status);
      assertEquals(1_700, row.refunded);
      SpendingView sum =
          generations
              .current()
              .spending()
              .find(ConsumerSpending.row("consumer-1", MONTH))
              .orElseThrow();
      assertEquals(1_700, sum.refunded);
    }
  }
}
