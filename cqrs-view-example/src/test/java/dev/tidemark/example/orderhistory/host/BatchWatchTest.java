package dev.tidemark.example.orderhistory.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.Delivery;
import dev.tidemark.tck.MovableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

@DisplayName("The watch over batches")
class BatchWatchTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MovableClock clock = new MovableClock(); // far behind that of all events

  @Test
  @DisplayName("counts an event among the new ones whose producer's clock is ahead")
  void ahead() {
    try (Generations generations = LocalStore.DYNAMODB.prepared()) {
      BatchWatch watch = new BatchWatch(registry, clock);
      var handler = watch.around(Views.serving(generations));
      Event event = Samples.created("order-1", "consumer-1", 0);
      assertTrue(handler.apply(List.of(Delivery.of(event.place(), event))).isDone());
      assertEquals(1, registry.get("orderhistory.event.age").timer().count());
    }
  }

  @Test
  @DisplayName("says by liveness that a batch has been in hand for far too long")
  void stuck() {
    List<Status> seen = new ArrayList<>();
    BatchWatch watch = new BatchWatch(registry, clock);
    ProgressHealth health = new ProgressHealth(watch);
    var handler =
        watch.around(
            batch -> {
              clock.move(Duration.ofMinutes(4));
              seen.add(health.health().getStatus());
              clock.move(Duration.ofMinutes(2));
              seen.add(health.health().getStatus());
              throw new IllegalStateException("ends at last");
            });
    assertThrows(IllegalStateException.class, () -> handler.apply(List.of()));
    assertEquals(List.of(Status.UP, Status.DOWN), seen);
    assertEquals(Status.UP, health.health().getStatus());
  }
}
