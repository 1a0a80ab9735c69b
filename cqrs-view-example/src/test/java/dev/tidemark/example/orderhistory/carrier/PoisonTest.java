package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Result;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Incoming;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.store.Settings;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Poison")
class PoisonTest {
  @ParameterizedTest
  @EnumSource
  @DisplayName("is no event that comes while the store's client is closed, as at a shutdown")
  void closed(LocalStore store) {
    ViewStore views;
    try (Generations generations = store.prepared()) {
      views = generations.current();
    }
    List<Delivery> deliveries =
        Samples.delivered("order-1", "consumer-1").stream().map(PoisonTest::delivery).toList();
    for (Result<?> result : new Views(views).apply(deliveries).results()) {
      assertFalse(result.isDone());
      assertEquals(Optional.empty(), Poison.reason(result));
    }
  }

  private static Delivery delivery(Event event) {
    return Delivery.of(event.place(), event);
  }

  @Test
  @DisplayName("is what the views' own code throws, told without its text")
  void ownCode() {
    Result<?> result = new Result.Failed<>(new IllegalStateException("card 4111"));
    assertEquals(Optional.of("IllegalStateException"), Poison.reason(result));
    assertTrue(Poison.reason(new Result.Failed<>(new ArithmeticException("x"))).isPresent());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("is what comes to views that are not there for it")
  void elsewhere(LocalStore store) {
    try (Generations generations = store.prepared()) {
      generations.prepareBoard();
      Event event = Samples.created("order-1", "consumer-1", 0);
      Incoming change = new OrderStatusChanged("id", "order-1", "r", null, "READY", Samples.at(0));
      var orders = new Settings(Map.of()).handler(generations);
      var board = new Settings(Map.of("VIEWS", "board")).handler(generations);
      assertTrue(board.apply(List.of(change.delivery())).isDone());
      for (var wrong :
          List.of(
              orders.apply(List.of(change.delivery())), board.apply(List.of(event.delivery())))) {
        assertTrue(Poison.reason(wrong.results().get(0)).isPresent());
      }
    }
  }
}
