package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.ConsumerSpending;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** What the views must show once all events of some delivered orders have come, however often. */
public final class Truth {
  private Truth() {}

  /** All events of so many orders, each aggregate's in turn. */
  public static List<Event> events(int orders) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < orders; i++) {
      events.addAll(Samples.delivered("order-" + i, "consumer-" + i));
    }
    return events;
  }

  /** Holds the views of all these orders to it. */
  public static void check(ViewStore views, int orders) {
    for (int i = 0; i < orders; i++) {
      check(views, "order-" + i, "consumer-" + i);
    }
  }

  private static void check(ViewStore views, String order, String consumer) {
    OrderView row = views.orders().find(key(order)).orElseThrow();
    assertEquals("DELIVERED", row.status, order);
    assertEquals(1_950, row.total, order);
    assertEquals(250, row.tips, order);
    assertEquals(6, row.timeline.size(), order);
    YearMonth month = YearMonth.from(Samples.START.atOffset(ZoneOffset.UTC));
    SpendingView sum = views.spending().find(ConsumerSpending.row(consumer, month)).orElseThrow();
    assertEquals(1, sum.orders, consumer);
    assertEquals(1_700, sum.spent, consumer);
    assertEquals(250, sum.tips, consumer);
  }
}
