package dev.tidemark.example.orderhistory.host;

import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Registers the counters of a store at zero with its first call, the rare outcomes too: an alarm on
 * an increase would miss the first gap if its counter began at one. For any number of threads.
 */
final class MetersFromZero implements StoreListener {
  private static final List<String> OUTCOMES =
      List.of(
          "Applied",
          "Recorded",
          "Duplicate",
          "Stale",
          "Gap",
          "Refused",
          "Missing",
          "Deleted",
          "BeyondHorizon",
          "HeldBack");
  private static final List<String> KINDS = List.of("read", "write", "repeat");

  private final MeterRegistry registry;
  private final Set<String> stores = ConcurrentHashMap.newKeySet();

  MetersFromZero(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void ended(StoreCall call) {
    if (stores.add(call.store())) {
      OUTCOMES.forEach(outcome -> register("tidemark.messages", call.store(), "outcome", outcome));
      KINDS.forEach(kind -> register("tidemark.requests", call.store(), "kind", kind));
    }
  }

  private void register(String name, String store, String tag, String value) {
    Counter unused = Counter.builder(name).tags("store", store, tag, value).register(registry);
  }
}
