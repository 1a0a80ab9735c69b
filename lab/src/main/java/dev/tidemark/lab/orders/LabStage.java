package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Event;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Sends events one after the other, so that a page shows an order's life as it happens. */
final class LabStage implements AutoCloseable {
  static final Duration STEP = Duration.ofMillis(900);

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "lab-stage"));
  private final AtomicInteger toCome = new AtomicInteger();

  /** Sends each event a step after the one before. */
  void play(List<Event> events, Consumer<List<Event>> send) {
    toCome.addAndGet(events.size());
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      var unused =
          timer.schedule(
              () -> {
                send.accept(List.of(event));
                toCome.decrementAndGet();
              },
              STEP.multipliedBy(i + 1).toMillis(),
              TimeUnit.MILLISECONDS);
    }
  }

  int toCome() {
    return toCome.get();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
