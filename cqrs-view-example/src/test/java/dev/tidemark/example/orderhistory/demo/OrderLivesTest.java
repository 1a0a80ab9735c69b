package dev.tidemark.example.orderhistory.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.OrderEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The made-up lives of orders")
class OrderLivesTest {
  private static final List<OrderEvent> EVENTS = new OrderLives(7).events(500);

  @Test
  @DisplayName("are the same for the same seed, others for another")
  void seeded() {
    assertEquals(EVENTS, new OrderLives(7).events(500));
    assertNotEquals(EVENTS, new OrderLives(8).events(500));
  }

  @Test
  @DisplayName("count each order's versions from 1 without a hole, beginning with the placing")
  void dense() {
    Map<String, Long> versions = new HashMap<>();
    for (OrderEvent event : EVENTS) {
      long expected = versions.merge(event.orderId(), 1L, Long::sum);
      assertEquals(expected, event.version());
      if (expected == 1) {
        assertInstanceOf(OrderEvent.OrderPlaced.class, event);
      }
    }
    assertEquals(500, versions.size());
  }

  @Test
  @DisplayName("have about five events each, of all types, those of many orders mixed")
  void variety() {
    assertTrue(EVENTS.size() > 2_250 && EVENTS.size() < 3_000, "events: " + EVENTS.size());
    Set<Class<?>> types = new HashSet<>();
    EVENTS.forEach(event -> types.add(event.getClass()));
    assertEquals(OrderEvent.class.getPermittedSubclasses().length, types.size());
    Set<String> among = new HashSet<>();
    EVENTS.subList(0, 100).forEach(event -> among.add(event.orderId()));
    assertTrue(among.size() > 30, "orders among 100 events: " + among.size());
  }

  @Test
  @DisplayName("are sent with one event in five once more, never before its first time")
  void repeats() {
    List<OrderEvent> sent = Topic.withRepeats(EVENTS, 7);
    assertEquals(0.2, (sent.size() - EVENTS.size()) / (double) EVENTS.size(), 0.03);
    assertEquals(EVENTS, sent.stream().distinct().toList());
  }
}
