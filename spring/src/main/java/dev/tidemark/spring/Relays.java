package dev.tidemark.spring;

import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayBuilder;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.Sender;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Runs a relay for each {@code OutboxRecords} bean, from the start of the application to its end.
 * Relays start last and end first, while what they use is there.
 */
final class Relays implements SmartLifecycle {
  private final List<OutboxRecords> outboxes;
  private final Sender sender;
  private final @Nullable ExecutionRecords leases;
  private final List<RelayListener> listeners;
  private final ObjectProvider<RelayCustomizer> customizers;
  private final Clock clock;
  private volatile List<RunningRelay> running = List.of();

  Relays(
      List<OutboxRecords> outboxes,
      Sender sender,
      @Nullable ExecutionRecords leases,
      List<RelayListener> listeners,
      ObjectProvider<RelayCustomizer> customizers,
      Clock clock) {
    this.outboxes = List.copyOf(outboxes);
    this.sender = sender;
    this.leases = leases;
    this.listeners = List.copyOf(listeners);
    this.customizers = customizers;
    this.clock = clock;
  }

  /** Those that run; none before the start and after the end. */
  List<RunningRelay> running() {
    return running;
  }

  /** A relay that was stopped stays so: each start makes new ones. */
  @Override
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    List<RunningRelay> started = new ArrayList<>();
    for (OutboxRecords records : outboxes) {
      RunningRelay relay = new RunningRelay(records.name(), clock);
      started.add(relay);
      relay.start(relay(records, relay));
    }
    running = List.copyOf(started);
  }

  private Relay relay(OutboxRecords records, RunningRelay told) {
    RelayListener listener = listeners.stream().reduce(told::passed, RelayListener::and);
    RelayBuilder builder = Relay.builder(records, sender).listener(listener);
    if (leases != null) {
      builder.sharedBy(leases);
    }
    customizers.orderedStream().forEach(customizer -> customizer.customize(records, builder));
    return builder.build();
  }

  @Override
  public synchronized void stop() {
    running.forEach(RunningRelay::askToStop);
    running.forEach(RunningRelay::awaitEnd);
    running = List.of();
  }

  @Override
  public boolean isRunning() {
    return !running.isEmpty();
  }
}
