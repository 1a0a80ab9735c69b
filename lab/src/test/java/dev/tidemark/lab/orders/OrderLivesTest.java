package dev.tidemark.lab.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The made-up lives of orders")
class OrderLivesTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T21:00:00Z"), ZoneOffset.UTC);
  private static final List<Event> EVENTS = new OrderLives(7, CLOCK).events(500);

  @Test
  @DisplayName("are the same for the same seed, others for another")
  void seeded() {
    assertEquals(EVENTS, new OrderLives(7, CLOCK).events(500));
    assertNotEquals(EVENTS, new OrderLives(8, CLOCK).events(500));
  }

  @Test
  @DisplayName(
      "count each aggregate's versions from 1 without a hole, an order's from its creation")
  void dense() {
    Map<String, Long> versions = new HashMap<>();
    Set<String> orders = new HashSet<>();
    for (Event event : EVENTS) {
      String aggregate = event.aggregateType() + " " + event.aggregateId();
      assertEquals(versions.merge(aggregate, 1L, Long::sum), event.version());
      if (orders.add(event.orderId())) {
        assertInstanceOf(OrderCreated.class, event);
      }
    }
    assertEquals(500, orders.size());
  }

  @Test
  @DisplayName("happened in the two weeks before, no two events of an order at one time")
  void times() {
    Map<String, Instant> last = new HashMap<>();
    for (Event event : EVENTS) {
      Instant before = last.put(event.orderId(), event.at());
      assertTrue(before == null || before.isBefore(event.at()));
      assertTrue(event.at().isBefore(CLOCK.instant()));
      assertTrue(event.at().isAfter(CLOCK.instant().minusSeconds(15 * 86_400)));
    }
  }

  @Test
  @DisplayName("have six events or so each, of all types, those of many orders mixed")
  void variety() {
    assertTrue(EVENTS.size() > 2_500 && EVENTS.size() < 4_000, "events: " + EVENTS.size());
    Set<Class<?>> types = new HashSet<>();
    EVENTS.forEach(event -> types.add(event.getClass()));
    assertEquals(8, types.size());
    Set<String> among = new HashSet<>();
    EVENTS.subList(0, 100).forEach(event -> among.add(event.orderId()));
    assertTrue(among.size() > 30, "orders among 100 events: " + among.size());
  }

  @Test
  @DisplayName("are sent with one event in five once more, never before its first time")
  void repeats() {
    List<Event> sent = Sending.withRepeats(EVENTS, 7);
    assertEquals(0.2, (sent.size() - EVENTS.size()) / (double) EVENTS.size(), 0.04);
    assertEquals(EVENTS, sent.stream().distinct().toList());
  }

  @Test
  @DisplayName("are sent in disorder with every event moved a little, and none lost")
  void disorder() {
    List<Event> sent = Sending.disordered(EVENTS, 20, 7);
    assertNotEquals(EVENTS, sent);
    assertEquals(Set.copyOf(EVENTS), Set.copyOf(sent));
    for (int i = 0; i < sent.size(); i++) {
      assertTrue(Math.abs(EVENTS.indexOf(sent.get(i)) - i) <= 20);
    }
  }
}
