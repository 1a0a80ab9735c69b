package dev.tidemark.example.orderhistory.host;

import dev.tidemark.Result;
import dev.tidemark.example.orderhistory.Incoming;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/**
 * Watches who handles batches: how long a batch has been in hand, and how old events were when they
 * were done, which is the lag that every carrier has. For any number of threads.
 */
@Component
final class BatchWatch {
  private final Timer age;
  private final Clock clock;
  private final Map<Thread, Instant> inHand = new ConcurrentHashMap<>();

  BatchWatch(MeterRegistry registry, Clock clock) {
    this.clock = clock;
    this.age =
        Timer.builder("orderhistory.event.age")
            .description("How old events were, by their producer's clock, when they were done")
            .register(registry);
  }

  Function<List<Delivery>, BatchOutcome<?>> around(
      Function<List<Delivery>, BatchOutcome<?>> handler) {
    return deliveries -> watched(handler, deliveries);
  }

  private BatchOutcome<?> watched(
      Function<List<Delivery>, BatchOutcome<?>> handler, List<Delivery> deliveries) {
    inHand.put(Thread.currentThread(), clock.instant());
    try {
      BatchOutcome<?> outcome = handler.apply(deliveries);
      recordAges(deliveries, outcome.results());
      return outcome;
    } finally {
      inHand.remove(Thread.currentThread());
    }
  }

  private void recordAges(List<Delivery> deliveries, List<? extends Result<?>> results) {
    Instant now = clock.instant();
    for (int i = 0; i < deliveries.size(); i++) {
      if (results.get(i).isDone() && deliveries.get(i).event() instanceof Incoming event) {
        Duration old = Duration.between(event.at(), now);
        age.record(old.isNegative() ? Duration.ZERO : old); // its producer's clock may be ahead
      }
    }
  }

  /** For how long the oldest batch has been in hand; empty if there is none. */
  Optional<Duration> oldest() {
    Instant now = clock.instant();
    return inHand.values().stream().min(Instant::compareTo).map(at -> Duration.between(at, now));
  }
}
