package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Incoming;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.intake.Taken;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Poison")
class PoisonTest {
  /** An intake as the carriers have it, of events that need no decoding. */
  private static IntakeBuilder<Incoming> intake(Function<List<Delivery>, BatchOutcome<?>> handler) {
    return new Intakes(new SimpleMeterRegistry())
        .set(
            Intake.<Incoming>builder(
                    event -> event.delivery().message(), Incoming::delivery, handler)
                .deadLetters((event, reason) -> {}));
  }

  private static List<Kind> kinds(Taken<Incoming> taken) {
    return taken.fates().stream().map(Taken.Fate::kind).toList();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("is no event that comes while the store's client is closed, as at a shutdown")
  void closed(LocalStore store) {
    ViewStore views;
    try (Generations generations = store.prepared()) {
      views = generations.current();
    }
    List<Event> events = Samples.delivered("order-1", "consumer-1");
    Taken<Incoming> taken = intake(new Views(views)).build().take(List.copyOf(events));
    assertEquals(Collections.nCopies(events.size(), Kind.AGAIN), kinds(taken));
  }

  @Test
  @DisplayName("is told with the text of a rule that it breaks, and without other texts")
  void told() {
    assertEquals("IllegalStateException", Poison.reason(new IllegalStateException("card 4111")));
    assertEquals(
        "IllegalArgumentException: no event",
        Poison.reason(new IllegalArgumentException("no event")));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("is what comes to views that are not there for it, once others are done")
  void elsewhere(LocalStore store) {
    try (Generations generations = store.prepared()) {
      generations.prepareBoard();
      Event event = Samples.created("order-1", "consumer-1", 0);
      Incoming change = new OrderStatusChanged("id", "order-1", "r", null, "READY", Samples.at(0));
      var orders = Settings.of(Map.of()).handler(generations);
      var board = Settings.of(Map.of("VIEWS", "board")).handler(generations);
      assertEquals(
          List.of(Kind.DONE, Kind.DEAD),
          kinds(intake(orders).parkAfter(1).build().take(List.of(event, change))));
      assertEquals(
          List.of(Kind.DONE, Kind.DEAD),
          kinds(intake(board).parkAfter(1).build().take(List.of(change, event))));
    }
  }
}
