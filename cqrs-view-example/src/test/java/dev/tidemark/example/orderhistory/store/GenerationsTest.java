package dev.tidemark.example.orderhistory.store;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.ConsumerSpending;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Generations of the views")
class GenerationsTest {
  private static List<Delivery> delivery(Event event) {
    return List.of(Delivery.of(event.place(), event));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("are apart, and the one that was switched to serves")
  void switching(LocalStore store) {
    try (Generations generations = store.prepared()) {
      assertEquals(1, generations.serving());
      generations.prepare(2);
      generations.prepare(2); // again does no harm
      var handler = Views.serving(generations);
      assertTrue(handler.apply(delivery(Samples.created("order-1", "ada", 0))).isDone());
      generations.serve(2);
      assertEquals(2, generations.serving());
      assertTrue(generations.current().orders().find(key("order-1")).isEmpty());
      assertTrue(handler.apply(delivery(Samples.created("order-2", "ada", 0))).isDone());
      assertTrue(generations.generation(2).orders().find(key("order-2")).isPresent());
      assertTrue(generations.generation(1).orders().find(key("order-2")).isEmpty());
      generations.serve(1);
      assertEquals(1, generations.serving());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "are filled once: a rebuild that was not ended goes on, and no other takes its place")
  void begin(LocalStore store) {
    try (Generations generations = store.prepared()) {
      assertEquals(2, generations.beginRebuild());
      assertEquals(2, generations.beginRebuild());
      generations.serve(2);
      assertEquals(2, generations.beginRebuild());
      generations.endRebuild();
      generations.serve(1);
      assertEquals(3, generations.beginRebuild());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("count an event older than sums remember once more only while they are rebuilt")
  void oldEvents(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Instant old = Samples.START.minus(Duration.ofDays(40));
      OrderCreated event =
          new OrderCreated(
              UUID.randomUUID().toString(),
              "order-1",
              1,
              old,
              "ada",
              "The Wooden Spoon",
              List.of(new OrderLine("Ramen", 1, 600)));
      var row = ConsumerSpending.row("ada", YearMonth.from(old.atOffset(ZoneOffset.UTC)));
      assertTrue(new Views(generations.current()).apply(delivery(event)).isDone());
      assertFalse(generations.current().spending().find(row).isPresent());
      assertTrue(new Views(generations.rebuilding(1)).apply(delivery(event)).isDone());
      assertTrue(new Views(generations.rebuilding(1)).apply(delivery(event)).isDone());
      assertEquals(600, generations.current().spending().find(row).orElseThrow().spent);
    }
  }
}
