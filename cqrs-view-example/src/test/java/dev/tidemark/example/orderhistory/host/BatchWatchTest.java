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
      BatchWatch watch = new BatchWatch(Views.serving(generations), registry, clock);
      Event event = Samples.created("order-1", "consumer-1", 0);
      assertTrue(watch.apply(List.of(Delivery.of(event.place(), event))).isDone());
      assertEquals(1, registry.get("orderhistory.event.age").timer().count());
    }
  }

  @Test
  @DisplayName("says by liveness that a batch has been in hand for far too long")
  void stuck() {
    List<Status> seen = new ArrayList<>();
    BatchWatch[] watch = new BatchWatch[1];
    watch[0] =
        new BatchWatch(
            batch -> {
              clock.move(Duration.ofMinutes(4));
              seen.add(new ProgressHealth(watch[0]).health().getStatus());
              clock.move(Duration.ofMinutes(2));
              seen.add(new ProgressHealth(watch[0]).health().getStatus());
              throw new IllegalStateException("ends at last");
            },
            registry,
            clock);
    assertThrows(IllegalStateException.class, () -> watch[0].apply(List.of()));
    assertEquals(List.of(Status.UP, Status.DOWN), seen);
    assertEquals(Status.UP, new ProgressHealth(watch[0]).health().getStatus());
  }
}
