package dev.tidemark.example.orderhistory;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Delivered orders, and what the views have to say of them, for tests of carriers. */
public final class Orders {
  private static final YearMonth MONTH = YearMonth.from(Samples.START.atOffset(ZoneOffset.UTC));

  private Orders() {}

  /** All events of orders with numbers in a range, in any order. */
  public static List<Event> delivered(int from, int to) {
    List<Event> events = new ArrayList<>();
    for (int i = from; i < to; i++) {
      events.addAll(Samples.delivered("order-" + i, "consumer-" + i));
    }
    Collections.shuffle(events, new Random(7));
    return events;
  }

  /** Fails unless the views show each of those orders once, whole. */
  public static void assertDelivered(ViewStore views, int from, int to) {
    for (int i = from; i < to; i++) {
      OrderView row = views.orders().find(key("order-" + i)).orElseThrow();
      assertEquals("DELIVERED", row.status);
      assertEquals("consumer-" + i, row.consumerId);
      assertEquals(1_950, row.total);
      assertEquals(6, row.timeline.size());
      SpendingView sum =
          views.spending().find(ConsumerSpending.row("consumer-" + i, MONTH)).orElseThrow();
      assertEquals(List.of(1L, 1_700L, 250L), List.of(sum.orders, sum.spent, sum.tips));
    }
  }
}
