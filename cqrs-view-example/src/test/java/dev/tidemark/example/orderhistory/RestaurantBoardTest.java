package dev.tidemark.example.orderhistory;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The board of restaurants")
class RestaurantBoardTest {
  private static final int ORDERS = 40;

  private final Random random = new Random(11);

  private static Generations open(LocalStore store) {
    Generations generations = store.open(LocalStore.freshName(), Clock.systemUTC(), true);
    generations.prepare(1);
    generations.prepareBoard();
    return generations;
  }

  private static void handle(Generations generations, List<? extends Event> events) {
    List<Delivery> deliveries = events.stream().map(Event::delivery).toList();
    assertTrue(new Views(generations.current()).apply(deliveries).isDone());
  }

  /** Some first part of an order's life, now and then without the event that creates it. */
  private List<Event> life(int order) {
    List<Event> events = new ArrayList<>(Samples.delivered("order-" + order, "consumer"));
    OrderCreated created = (OrderCreated) events.get(0);
    events.set(
        0,
        new OrderCreated(
            created.eventId(),
            created.orderId(),
            1,
            created.at(),
            created.consumerId(),
            "Restaurant " + order % 3,
            created.lines()));
    Collections.shuffle(events, random); // the window takes them in any order
    return events.subList(0, 1 + random.nextInt(events.size()));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("says what the rows say, whatever comes twice and in whatever order")
  void truth(LocalStore store) {
    try (Generations generations = open(store)) {
      List<Event> events = new ArrayList<>();
      IntStream.range(0, ORDERS).forEach(order -> events.addAll(life(order)));
      events.addAll(List.copyOf(events.subList(0, events.size() / 3)));
      Collections.shuffle(events, random);
      for (int from = 0; from < events.size(); from += 25) {
        handle(generations, events.subList(from, Math.min(events.size(), from + 25)));
        if (random.nextInt(3) == 0) {
          Told.bring(generations, Told.take(generations, random), random);
        }
      }
      List<OrderStatusChanged> last = Told.take(generations, random);
      assertFalse(last.isEmpty());
      Told.bring(generations, last, random);
      Map<String, Long> rows =
          Told.rows(generations, IntStream.range(0, ORDERS).mapToObj(i -> "order-" + i));
      assertTrue(rows.size() > 6, rows.toString());
      assertEquals(rows, Told.board(generations));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("hears of an order once its restaurant is known, and of each change once")
  void chain(LocalStore store) {
    try (Generations generations = open(store)) {
      List<Event> events = Samples.delivered("order-1", "consumer-1");
      handle(generations, events.subList(2, 4)); // accepted and ready
      assertEquals(List.of(), Told.take(generations, new Never()));
      handle(generations, events.subList(0, 1)); // created, which is not the last step
      handle(generations, events);
      List<OrderStatusChanged> told = Told.take(generations, new Never());
      assertEquals("READY", told.get(0).to());
      assertNull(told.get(0).from());
      assertEquals(Samples.at(30), told.get(0).at());
      assertEquals("The Wooden Spoon", told.get(0).restaurant());
      for (int i = 1; i < told.size(); i++) {
        assertEquals(told.get(i - 1).to(), told.get(i).from());
      }
      assertEquals("DELIVERED", told.get(told.size() - 1).to());
      handle(generations, events);
      assertEquals(List.of(), Told.take(generations, new Never()));
      assertEquals(
          "DELIVERED", generations.current().orders().find(key("order-1")).orElseThrow().announced);
    }
  }

  /** Loses no reply. */
  private static final class Never extends Random {
    private static final long serialVersionUID = 1L;

    @Override
    public int nextInt(int bound) {
      return bound - 1;
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("hears nothing where rows are not to publish")
  void silent(LocalStore store) {
    try (Generations generations = store.prepared()) {
      handle(generations, Samples.delivered("order-1", "consumer-1"));
      assertEquals(List.of(), Told.take(generations, random));
      assertNull(generations.current().orders().find(key("order-1")).orElseThrow().announced);
    }
  }
}
