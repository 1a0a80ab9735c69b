package dev.tidemark.example.orderhistory.relay;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.store.HintStreams;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.Sender;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what rows of the order history have published, beside any number of others that do the
 * same: a {@link Relay} for the generation that serves, and one for the generation before it, so
 * that what was published there before a switch is sent too. The instances share the work by leases
 * in the deployment's records of executions.
 *
 * <p>It looks for messages each second. With {@link #hintedBy} the store's streams tell it at once
 * what came; that is all that depends on them.
 *
 * <p>{@link #run} is for one thread, the other methods for any. A function that a timer or a stream
 * calls makes its relays by {@link #over}, and their passes itself.
 */
public final class StatusRelay implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(StatusRelay.class);

  /** After the death of an instance others wait for so long before they take over. */
  private static final Duration LEASE = StatusSender.LONGEST_CALL.plusSeconds(1);

  /** How often it looks for generations. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  /** How often the relay of a generation looks for messages. */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Generations generations;
  private final Sender sender;
  private final RelayListener listener;
  private final Duration interval;
  private final @Nullable HintStreams streams;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** By the name of their records. */
  private final Map<String, Running> running = new ConcurrentHashMap<>();

  private record Running(Relay relay, CompletableFuture<Void> ended, Optional<Hinting> hinting) {
    void stop() {
      hinting.ifPresent(Hinting::stop);
      relay.stop();
    }

    void join() {
      hinting.ifPresent(Hinting::join);
      ended.join();
    }
  }

  private StatusRelay(
      Generations generations,
      Sender sender,
      RelayListener listener,
      Duration interval,
      @Nullable HintStreams streams) {
    this.generations = generations;
    this.sender = sender;
    this.listener = listener;
    this.interval = interval;
    this.streams = streams;
  }

  /**
   * A relay that has not begun.
   *
   * @param generations where rows publish
   * @param sender takes the messages; the caller's to close, once {@link #run} has returned
   * @param listener told of every pass, by threads of this relay
   * @return to be run once
   */
  public static StatusRelay of(Generations generations, Sender sender, RelayListener listener) {
    return new StatusRelay(generations, sender, listener, INTERVAL, null);
  }

  /**
   * The same relay, which the store's streams tell what came.
   *
   * @param hints the caller's to close, once {@link #run} has returned
   * @return a relay that has not begun
   */
  public StatusRelay hintedBy(HintStreams hints) {
    return new StatusRelay(generations, sender, listener, interval, hints);
  }

  /** The same, which looks for messages less often: for tests of what does not wait for a look. */
  StatusRelay every(Duration time) {
    return new StatusRelay(generations, sender, listener, time, streams);
  }

  /**
   * The relay of one generation.
   *
   * @param records one of {@link Generations#outboxes()}
   * @param generations of these generations, for the leases
   * @param sender takes the messages
   * @param listener told of every pass
   * @return a relay that works on nothing yet
   */
  public static Relay over(
      OutboxRecords records, Generations generations, Sender sender, RelayListener listener) {
    return over(records, generations, sender, listener, INTERVAL);
  }

  private static Relay over(
      OutboxRecords records,
      Generations generations,
      Sender sender,
      RelayListener listener,
      Duration interval) {
    return Relay.builder(records, sender)
        .interval(interval)
        .sharedBy(generations.executions())
        .lease(LEASE)
        .listener(listener)
        .build();
  }

  /**
   * Sends until it is stopped, or this thread is interrupted; then it finishes what it has in hand.
   * No fault of the store or of a broker ends it.
   */
  @Override
  public void run() {
    try {
      do {
        look();
      } while (!stopped.await(LOOK.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
  }

  /** Begins with generations that were not there before, and ends with those that are no more. */
  private void look() {
    try {
      Map<String, OutboxRecords> there = new HashMap<>();
      generations.outboxes().forEach(records -> there.put(records.name(), records));
      there.forEach((name, records) -> running.computeIfAbsent(name, n -> start(n, records)));
      List<String> over = running.keySet().stream().filter(n -> !there.containsKey(n)).toList();
      over.forEach(name -> Objects.requireNonNull(running.remove(name)).stop());
    } catch (RuntimeException e) { // its text may quote values
      LOG.warn("the generations cannot be read: {}", e.getClass().getSimpleName());
    }
  }

  private Running start(String name, OutboxRecords records) {
    Relay relay = over(records, generations, sender, listener, interval);
    return new Running(
        relay,
        CompletableFuture.runAsync(relay::run, task -> new Thread(task, "relay-" + name).start()),
        Optional.ofNullable(streams).map(hints -> Hinting.start(hints, records, relay)));
  }

  /** Waits whatever interrupts come: leases have to be given back. */
  private void end() {
    running.values().forEach(Running::stop);
    running.values().forEach(Running::join);
  }

  /**
   * What it works on.
   *
   * @return names of tables or collections; for any thread
   */
  public Set<String> records() {
    return Set.copyOf(running.keySet());
  }

  /** Lets {@link #run} return once the batch in hand is sent and the leases are given back. */
  public void stop() {
    stopped.countDown();
  }
}
