package dev.tidemark.benchmarks.growth;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.stats.Sample;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An entity that is fed by many sources, in turn. */
final class Sources {
  private static final int[] COUNTS = {1, 10, 100, 1_000};
  private static final int MEASURED = 1_000;

  private final Target target;
  private final EntityStore<?> store;
  private final Change change = Change.change().set("status", "FED").add("total", Event.AMOUNT);

  Sources(Target target) {
    this.target = target;
    this.store = target.open(Tracking.defaults(), Clock.systemUTC());
  }

  /** What a message costs, by the number of sources. */
  Map<Integer, Cost> run() {
    Map<Integer, Cost> costs = new LinkedHashMap<>();
    for (int count : COUNTS) {
      String entity = "fed by " + count;
      target.store().create(List.of(entity));
      for (int i = 0; i < count; i++) {
        send(entity, i, 1);
      }
      costs.put(count, measure(entity, count));
    }
    return costs;
  }

  private Cost measure(String entity, int count) {
    Target.Watch watch = target.watch();
    long requests = target.store().meter().requests();
    double units = target.store().meter().units();
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < MEASURED; i++) {
      long start = System.nanoTime();
      send(entity, i % count, 2 + i / count);
      millis.add((System.nanoTime() - start) / 1e6);
    }
    Sample times = Sample.of(millis);
    return new Cost(
        (target.store().meter().requests() - requests) / (double) MEASURED,
        (target.store().meter().units() - units) / MEASURED,
        times.quantile(0.5),
        times.quantile(0.99),
        watch.bytes() / (double) MEASURED);
  }

  private void send(String entity, int source, long position) {
    SourceEvent event = SourceEvent.of("Shop", "shop-" + source, position);
    if (!store.update(event, key(entity), change).isApplied()) {
      throw new IllegalStateException(entity + " did not apply " + event);
    }
  }
}
