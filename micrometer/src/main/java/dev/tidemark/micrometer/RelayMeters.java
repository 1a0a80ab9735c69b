package dev.tidemark.micrometer;

import dev.tidemark.outbox.RelayPass;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** Meters of relays: what the last pass has seen as gauges, and all that was done as counters. */
final class RelayMeters {
  private static final String STORE = "store";

  private final MeterRegistry registry;
  private final MeterProvider<Timer> passes;
  private final MeterProvider<Counter> messages;
  private final MeterProvider<Counter> takeovers;
  private final MeterProvider<Counter> errors;

  /** The last pass over each table or collection. */
  private final Map<String, RelayPass> last = new ConcurrentHashMap<>();

  RelayMeters(MeterRegistry registry) {
    this.registry = registry;
    this.passes =
        Timer.builder("tidemark.relay.passes")
            .description("Passes of relays over their shards")
            .withRegistry(registry);
    this.messages =
        Counter.builder("tidemark.relay.messages")
            .description("Outgoing messages by what became of them")
            .withRegistry(registry);
    this.takeovers =
        Counter.builder("tidemark.relay.takeovers")
            .description("Shards that were taken over from relays that went silent")
            .withRegistry(registry);
    this.errors =
        Counter.builder("tidemark.relay.errors")
            .description("Passes of relays that met an error")
            .withRegistry(registry);
  }

  void passed(RelayPass pass) {
    String store = pass.records();
    if (last.put(store, pass) == null) {
      gauge("tidemark.relay.pending", "messages", "Messages that wait", store, RelayPass::pending);
      gauge(
          "tidemark.relay.oldest",
          "seconds",
          "For how long the oldest message has waited",
          store,
          one -> one.oldest().toMillis() / 1_000.0);
      gauge(
          "tidemark.relay.shards", "shards", "Shards that are worked on", store, RelayPass::shards);
    }
    passes.withTags(STORE, store).record(pass.elapsed());
    count(store, "sent", pass.sent());
    count(store, "failed", pass.failed());
    count(store, "parked", pass.parked());
    count(store, "prevented", pass.prevented());
    if (pass.takenOver() > 0) {
      takeovers.withTags(STORE, store).increment(pass.takenOver());
    }
    if (pass.error() != null) {
      errors.withTags(STORE, store).increment();
    }
  }

  private void gauge(
      String name, String unit, String what, String store, ToDoubleFunction<RelayPass> value) {
    Gauge.builder(name, last, passes -> value.applyAsDouble(passes.get(store)))
        .description(what)
        .baseUnit(unit)
        .tags(STORE, store)
        .strongReference(true)
        .register(registry);
  }

  private void count(String store, String outcome, int count) {
    if (count > 0) {
      messages.withTags(STORE, store, "outcome", outcome).increment(count);
    }
  }
}
