package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Result;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.Delivery;
import java.util.List;
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
}
