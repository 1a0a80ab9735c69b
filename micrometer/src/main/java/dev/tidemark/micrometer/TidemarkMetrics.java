package dev.tidemark.micrometer;

import dev.tidemark.execution.ExecutionEvent;
import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.RelayPass;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Meters of the calls of any number of stores, of executions under idempotency keys, and of relays,
 * under the names that the package's page lists. May be shared by threads, stores and scopes; two
 * relays of one table or collection in one process want registries of their own.
 */
public final class TidemarkMetrics implements StoreListener, ExecutionListener, RelayListener {
  private static final String STORE = "store";
  private static final String OUTCOME = "outcome";
  private static final String KIND = "kind";

  private final MeterRegistry registry;
  private final MeterProvider<Timer> calls;
  private final MeterProvider<Counter> messages;
  private final MeterProvider<Counter> requests;
  private final MeterProvider<Counter> units;
  private final MeterProvider<DistributionSummary> markBytes;
  private final MeterProvider<Timer> executions;
  private final RelayMeters relays;

  /**
   * Meters in a registry.
   *
   * @param registry keeps the meters
   */
  public TidemarkMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.calls =
        Timer.builder("tidemark.calls")
            .description("Calls of an entity store")
            .withRegistry(registry);
    this.messages =
        Counter.builder("tidemark.messages")
            .description("Messages by what became of them")
            .withRegistry(registry);
    this.requests =
        Counter.builder("tidemark.requests")
            .description("Requests that the calls sent")
            .withRegistry(registry);
    this.units =
        Counter.builder("tidemark.units")
            .description("Capacity units that the store reported")
            .withRegistry(registry);
    this.markBytes =
        DistributionSummary.builder("tidemark.mark.bytes")
            .description("What is stored of marks in an entity")
            .baseUnit("bytes")
            .withRegistry(registry);
    this.relays = new RelayMeters(registry);
    this.executions =
        Timer.builder("tidemark.executions")
            .description("Executions under idempotency keys, by what happened")
            .withRegistry(registry);
  }

  /**
   * Counts what a store's cache of marks answers.
   *
   * @param store the store's name, as its calls have it
   * @param cache the cache; kept from being collected by whoever uses it
   * @return these metrics
   */
  public TidemarkMetrics watch(String store, MarkCache cache) {
    lookups(store, "hit", cache, MarkCache::hits);
    lookups(store, "miss", cache, MarkCache::misses);
    return this;
  }

  private void lookups(
      String store, String result, MarkCache cache, ToDoubleFunction<MarkCache> count) {
    FunctionCounter.builder("tidemark.cache.lookups", cache, count)
        .description("Messages that were looked up in the cache of marks")
        .tags(STORE, store, "result", result)
        .register(registry);
  }

  @Override
  public void ended(StoreCall call) {
    String store = call.store();
    calls.withTags(STORE, store, "call", call.method().methodName()).record(call.latency());
    call.outcomes().forEach((arm, count) -> count(messages, store, OUTCOME, arm, count));
    call.faults().forEach((fault, count) -> count(messages, store, OUTCOME, fault, count));
    count(messages, store, OUTCOME, "HeldBack", call.heldBack());
    StoreCall.Requests sent = call.requests();
    count(requests, store, KIND, "read", sent.reads());
    count(requests, store, KIND, "write", sent.writes());
    count(requests, store, KIND, "repeat", sent.attempts() - sent.reads() - sent.writes());
    count(units, store, KIND, "read", sent.readUnits().orElse(0));
    count(units, store, KIND, "write", sent.writeUnits().orElse(0));
    call.sizes()
        .forEach(size -> markBytes.withTags(STORE, store).record((double) size.marks().bytes()));
  }

  @Override
  public void happened(ExecutionEvent event) {
    String kind = event.kind().name().toLowerCase(Locale.ROOT);
    executions.withTags("scope", event.scope(), "event", kind).record(event.elapsed());
  }

  @Override
  public void passed(RelayPass pass) {
    relays.passed(pass);
  }

  private static void count(
      MeterProvider<Counter> counter, String store, String tag, String value, double count) {
    if (count > 0) {
      counter.withTags(STORE, store, tag, value).increment(count);
    }
  }
}
