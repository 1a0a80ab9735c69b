package dev.tidemark.spring;

import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayBuilder;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.Sender;
import dev.tidemark.store.RecordStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Runs a relay for each {@code OutboxRecords} bean, from the start of the application to its end,
 * and for what each {@link OutboxSource} names. Relays start last and end first, while what they
 * use is there.
 */
final class Relays implements SmartLifecycle {
  private static final Logger LOGGER = LoggerFactory.getLogger(Relays.class);

  /** How often sources are asked. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** How long the end of all relays together is waited for. */
  static final Duration LONGEST_END = Duration.ofSeconds(20);

  private final Map<String, OutboxRecords> outboxes;
  private final List<OutboxSource> sources;
  private final Sender sender;
  private final @Nullable RecordStore leases;
  private final List<RelayListener> listeners;
  private final List<RelayHints> hints;
  private final List<GoneRecords> told;
  private final ObjectProvider<RelayCustomizer> customizers;
  private final Clock clock;
  private final Duration longestEnd;

  /** Also those that no source names any more, until they have ended. */
  private final List<RunningRelay> running = new CopyOnWriteArrayList<>();

  /** Those of {@link #running} that a source names, by the name of their records. */
  private final Map<String, RunningRelay> named = new LinkedHashMap<>();

  private volatile Instant lastNamed = Instant.MAX;
  private volatile @Nullable Throwable unnamed;
  private @Nullable ScheduledExecutorService looks;
  private volatile boolean isRunning;

  Relays(
      List<OutboxRecords> outboxes,
      List<OutboxSource> sources,
      Sender sender,
      @Nullable RecordStore leases,
      List<RelayListener> listeners,
      List<RelayHints> hints,
      List<GoneRecords> told,
      ObjectProvider<RelayCustomizer> customizers,
      Clock clock,
      Duration longestEnd) {
    this.outboxes = RelayedRecords.ofBeans(outboxes);
    this.sources = List.copyOf(sources);
    this.sender = sender;
    this.leases = leases;
    this.listeners = List.copyOf(listeners);
    this.hints = List.copyOf(hints);
    this.told = List.copyOf(told);
    this.customizers = customizers;
    this.clock = clock;
    this.longestEnd = longestEnd;
  }

  /** Those that are to run; none before the start and after the end. */
  List<RunningRelay> running() {
    return running.stream().filter(RunningRelay::isWanted).toList();
  }

  /** When all sources have named their records last, or the start before that; MAX if none is. */
  Instant lastNamed() {
    return lastNamed;
  }

  /** Why sources have not named their records just now. */
  @Nullable Throwable unnamed() {
    return unnamed;
  }

  /** A relay that was stopped stays so: each start makes new ones. */
  @Override
  public synchronized void start() {
    if (isRunning) {
      return;
    }
    isRunning = true;
    outboxes.values().forEach(this::start);
    if (!sources.isEmpty()) {
      lastNamed = clock.instant();
      looks =
          Executors.newSingleThreadScheduledExecutor(
              task -> {
                Thread thread = new Thread(task, "tidemark-relays");
                thread.setDaemon(true);
                return thread;
              });
      var unused =
          looks.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private RunningRelay start(OutboxRecords records) {
    RunningRelay relay = new RunningRelay(records.name(), clock);
    Relay made = relay(records, relay);
    OutboxRecords stored = RelayedRecords.stored(records);
    relay.start(
        made,
        hints.stream()
            .map(store -> store.of(stored, made))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null));
    running.add(relay);
    return relay;
  }

  private Relay relay(OutboxRecords records, RunningRelay told) {
    RelayListener listener = listeners.stream().reduce(told, RelayListener::and);
    RelayBuilder builder = Relay.builder(records, sender).listener(listener);
    if (leases != null) {
      builder.sharedBy(leases);
    }
    customizers.orderedStream().forEach(customizer -> customizer.customize(records, builder));
    return builder.build();
  }

  /** The sources are asked before the lock is taken, since a store may not answer for long. */
  void look() {
    try {
      Stream<OutboxRecords> sourced = sources.stream().flatMap(one -> one.outboxes().stream());
      List<RuntimeException> refused = new ArrayList<>();
      follow(RelayedRecords.ofSources(outboxes, sourced, refused::add), refused);
      if (!refused.isEmpty()) {
        throw refused.get(0); // once the others have their relays
      }
      lastNamed = clock.instant();
      unnamed = null;
    } catch (Throwable e) { // its text may quote what is stored; the next look may have more luck
      unnamed = e;
      LOGGER.warn(
          "The records of relays cannot be named: {}",
          e instanceof RelayedRecords.Refused ? e.getMessage() : e.getClass().getName());
    }
  }

  private synchronized void follow(
      Map<String, OutboxRecords> there, List<RuntimeException> refused) {
    if (isRunning) {
      List<String> gone = named.keySet().stream().filter(n -> !there.containsKey(n)).toList();
      for (String name : gone) {
        RunningRelay relay = Objects.requireNonNull(named.remove(name));
        relay.askToStop(
            () -> {
              running.remove(relay);
              told.forEach(listener -> listener.gone(name));
            });
      }
      there.forEach(
          (name, records) -> {
            if (running.stream().noneMatch(relay -> relay.records().equals(name))) {
              try {
                named.put(name, start(records));
              } catch (RuntimeException e) { // such as a customizer's
                refused.add(e);
              }
            }
          });
    }
  }

  @Override
  public synchronized void stop() {
    isRunning = false;
    if (looks != null) {
      looks.shutdownNow();
    }
    running.forEach(RunningRelay::askToStop);
    long until = System.nanoTime() + longestEnd.toNanos();
    running.forEach(relay -> relay.awaitEnd(until));
    running.clear();
    named.clear();
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }
}
