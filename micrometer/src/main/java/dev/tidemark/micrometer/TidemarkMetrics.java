package dev.tidemark.micrometer;

import dev.tidemark.Outcome;
import dev.tidemark.execution.ExecutionEvent;
import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.intake.IntakeListener;
import dev.tidemark.intake.Taken;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.outbox.ClusterListener;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.RelayPass;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Meters of the calls of any number of stores, of executions under idempotency keys, and of relays
 * of outgoing messages and their clusters, under the names that the package's page lists. May be
 * shared by threads, stores, scopes and relays; of each table or collection, one relay for a
 * registry.
 */
public final class TidemarkMetrics
    implements StoreListener, ExecutionListener, RelayListener, ClusterListener {
  private static final String STORE = "store";
  private static final String OUTCOME = "outcome";
  private static final String KIND = "kind";
  private static final String RECORDS = "records";
  private static final String HELD_BACK = "HeldBack";
  private static final List<String> KINDS = List.of("read", "write", "repeat");

  private final MeterRegistry registry;
  private final MeterProvider<Timer> calls;
  private final MeterProvider<Counter> messages;
  private final MeterProvider<Counter> requests;
  private final MeterProvider<Counter> units;
  private final MeterProvider<DistributionSummary> markBytes;
  private final MeterProvider<Timer> executions;
  private final MeterProvider<Counter> intakes;
  private final MeterProvider<Counter> clusterTakeovers;
  private final MeterProvider<Counter> clusterPrevented;
  private final Set<String> stores = ConcurrentHashMap.newKeySet();
  private volatile boolean isFromZero;
  private final Map<String, RelayMeters> relays = new ConcurrentHashMap<>();

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
    this.executions =
        Timer.builder("tidemark.executions")
            .description("Executions under idempotency keys, by what happened")
            .withRegistry(registry);
    this.intakes =
        Counter.builder("tidemark.intake.messages")
            .description("Messages that an intake took, by what became of them")
            .withRegistry(registry);
    this.clusterTakeovers =
        Counter.builder("tidemark.outbox.cluster.takeovers")
            .description("Messages that were sent in place of the cluster that published them")
            .withRegistry(registry);
    this.clusterPrevented =
        Counter.builder("tidemark.outbox.cluster.prevented")
            .description("Messages that were not sent, since another cluster had sent them")
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

  /**
   * Makes the meters of a relay before its first pass, so that one that never makes a pass is seen
   * too:
   *
   * <pre>{@code
   * Relay.builder(outbox, sender).listener(new TidemarkMetrics(registry).watch(outbox)).build()
   * }</pre>
   *
   * <p>Without this call they are there from the first pass on. A relay of the same records that is
   * made later takes the gauges over.
   *
   * @param records the relay's
   * @return these metrics
   */
  public TidemarkMetrics watch(OutboxRecords records) {
    relay(records.name());
    return this;
  }

  /**
   * Tells how far a stream is behind that gives hints to a relay. Of a stream that is told of later
   * it takes the gauge over.
   *
   * @param records the relay's
   * @param behind such as {@code stream::behind} of the store's outbox stream; asked whenever the
   *     registry looks, and kept from being collected
   * @return these metrics
   */
  public TidemarkMetrics watchStream(OutboxRecords records, Supplier<Duration> behind) {
    RelayMeters.removeGauges(registry, records.name(), List.of(RelayMeters.BEHIND));
    TimeGauge.builder(RelayMeters.BEHIND, () -> behind.get().toNanos(), TimeUnit.NANOSECONDS)
        .description("How far the stream that gives hints to a relay is behind")
        .tag(RECORDS, records.name())
        .register(registry);
    return this;
  }

  /**
   * Starts the counters of messages and requests at zero with a store's first call, also those of
   * rare outcomes. This is for rules that compare a counter with its earlier value: a counter that
   * begins at one shows no increase, so such a rule would miss the first gap. The cost is about a
   * dozen series more for each store.
   *
   * @return these metrics
   */
  public TidemarkMetrics countersFromZero() {
    isFromZero = true;
    return this;
  }

  /**
   * Makes the meters of takeovers before the first one, so that a rule that compares a counter with
   * what it was sees that one, too. Give these metrics to {@code Clusters.listener} as well.
   *
   * @param records the clustered records, which a relay of this cluster has
   * @param others the clusters whose messages it may send
   * @return these metrics
   */
  public TidemarkMetrics watchClusters(OutboxRecords records, Set<String> others) {
    others.forEach(origin -> tookOver(records.name(), origin, 0));
    prevented(records.name(), 0);
    return this;
  }

  /**
   * Counts what an intake takes, by what became of it, each from zero on:
   *
   * <pre>{@code
   * builder.listener(IntakeListener.log().and(metrics.intake("orders")))
   * }</pre>
   *
   * @param name of the intake, such as its topic or queue
   * @return a listener for that intake
   */
  public IntakeListener intake(String name) {
    Map<Taken.Kind, Counter> fates = new EnumMap<>(Taken.Kind.class);
    for (Taken.Kind kind : Taken.Kind.values()) {
      String fate = kind.name().toLowerCase(Locale.ROOT);
      fates.put(kind, intakes.withTags("intake", name, "fate", fate));
    }
    return taken ->
        taken.fates().forEach(fate -> Objects.requireNonNull(fates.get(fate.kind())).increment());
  }

  /**
   * Takes the gauges of a relay away that has ended for good, since its records are gone: its age
   * would grow for ever, which a rule takes for silence. Its counters stay.
   *
   * @param records the name of the records, as {@link OutboxRecords#name} has it
   * @return these metrics
   */
  public TidemarkMetrics unwatch(String records) {
    RelayMeters gone = relays.remove(records);
    if (gone != null) {
      gone.end();
    }
    RelayMeters.removeGauges(registry, records, List.of(RelayMeters.BEHIND));
    return this;
  }

  private RelayMeters relay(String records) {
    return relays.computeIfAbsent(records, name -> new RelayMeters(registry, name));
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
    if (isFromZero && stores.add(store)) {
      begin(store);
    }
    calls.withTags(STORE, store, "call", call.method().methodName()).record(call.latency());
    call.outcomes().forEach((arm, count) -> count(messages, store, OUTCOME, arm, count));
    call.faults().forEach((fault, count) -> count(messages, store, OUTCOME, fault, count));
    count(messages, store, OUTCOME, HELD_BACK, call.heldBack());
    StoreCall.Requests sent = call.requests();
    count(requests, store, KIND, "read", sent.reads());
    count(requests, store, KIND, "write", sent.writes());
    count(requests, store, KIND, "repeat", sent.attempts() - sent.reads() - sent.writes());
    count(units, store, KIND, "read", sent.readUnits().orElse(0));
    count(units, store, KIND, "write", sent.writeUnits().orElse(0));
    call.sizes()
        .forEach(size -> markBytes.withTags(STORE, store).record((double) size.marks().bytes()));
  }

  private void begin(String store) {
    Stream.concat(
            Stream.of(Outcome.class.getPermittedSubclasses()).map(Class::getSimpleName),
            Stream.of(HELD_BACK))
        .forEach(outcome -> messages.withTags(STORE, store, OUTCOME, outcome).increment(0));
    KINDS.forEach(kind -> requests.withTags(STORE, store, KIND, kind).increment(0));
  }

  @Override
  public void happened(ExecutionEvent event) {
    String kind = event.kind().name().toLowerCase(Locale.ROOT);
    executions.withTags("scope", event.scope(), "event", kind).record(event.elapsed());
  }

  @Override
  public void passed(RelayPass pass) {
    relay(pass.records()).passed(pass);
  }

  @Override
  public Ongoing.Scope sending(RelayPass found) {
    return relay(found.records()).sending(found);
  }

  @Override
  public void tookOver(String records, String origin, int messages) {
    clusterTakeovers.withTags(RECORDS, records, "origin", origin).increment(messages);
  }

  @Override
  public void prevented(String records, int messages) {
    clusterPrevented.withTags(RECORDS, records).increment(messages);
  }

  private static void count(
      MeterProvider<Counter> counter, String store, String tag, String value, double count) {
    if (count > 0) {
      counter.withTags(STORE, store, tag, value).increment(count);
    }
  }
}
