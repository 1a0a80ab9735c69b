package dev.tidemark.benchmarks.relay;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.benchmarks.relay.RelayTarget.AutoCloseablePoll;
import dev.tidemark.benchmarks.relay.RelayTarget.Outgoing;
import dev.tidemark.benchmarks.report.Csv;
import dev.tidemark.benchmarks.report.Output;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import dev.tidemark.outbox.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Measures relays: how many messages a second leave a backlog, and how long a message takes from
 * its write to the sender while messages come at a certain rate, by the index alone and with the
 * store's stream. The sender takes everything at once and does nothing.
 */
public final class Relaying {
  private static final int ENTITIES = 2_000;
  private static final int PER_ENTITY = 10;
  private static final int[] RATES = {100, 500, 1_000, 2_000, 4_000};
  private static final int ROUNDS = 3;
  private static final long SECONDS = 5;
  private static final int TICK_MILLIS = 10;

  private Csv csv =
      Csv.of("store", "series", "published_per_s", "sent_per_s", "p50_ms", "p99_ms", "left");

  /** Counts, and notes how long messages took. */
  private static final class Sink implements Sender {
    final AtomicInteger count = new AtomicInteger();
    final ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();

    @Override
    public List<Sent> send(List<OutboxMessage> messages) {
      long now = System.nanoTime();
      for (OutboxMessage message : messages) {
        nanos.add(now - Long.parseLong(message.message().text().orElseThrow()));
      }
      count.addAndGet(messages.size());
      return Collections.nCopies(messages.size(), Sent.taken());
    }
  }

  /**
   * Measures one store.
   *
   * @param target the store
   * @throws InterruptedException if the thread is to stop
   */
  public void measure(RelayTarget target) throws InterruptedException {
    System.out.println(csv.padded(0, 9, 22, 16, 12, 8, 9, 8));
    backlog(target, 1);
    backlog(target, PER_ENTITY);
    for (boolean streams : new boolean[] {false, true}) {
      for (int rate : RATES) {
        if (!latency(target, rate, streams)) {
          break; // it collapses here
        }
      }
    }
  }

  /** Tells the median of some rounds, behind one that warms up. */
  private void backlog(RelayTarget target, int each) {
    double[] rates =
        IntStream.rangeClosed(0, ROUNDS).mapToDouble(round -> rate(target, each)).skip(1).toArray();
    Arrays.sort(rates);
    String series = "backlog, " + each + " an entity";
    add(target.name(), series, "-", Math.round(rates[ROUNDS / 2]), "-", "-", 0);
  }

  /** Sends what waits already; tells how many messages a second. */
  private static double rate(RelayTarget target, int each) {
    Outgoing outgoing = target.fresh(false);
    for (int i = 0; i < each; i++) {
      publish(outgoing.entities(), 0, ENTITIES);
    }
    Sink sink = new Sink();
    Relay relay = Relay.builder(outgoing.records(), sink).batch(500).build();
    long start = System.nanoTime();
    while (sink.count.get() < ENTITIES * each || relay.sweep().sent() > 0) {
      var unused = relay.sweep();
    }
    return sink.count.get() / ((System.nanoTime() - start) / 1e9);
  }

  private static <T> void publish(EntityStore<T> store, int from, int to) {
    List<Write<T>> writes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      writes.add(
          Write.update(
              MessageId.of(UUID.randomUUID()),
              key("order-" + i),
              change().createIfMissing().publish("orders", "" + System.nanoTime())));
      if (writes.size() == 500 || i == to - 1) {
        for (Result<T> result : store.writeAll(writes)) {
          if (!result.isDone()) {
            throw new IllegalStateException("not published: " + result);
          }
        }
        writes.clear();
      }
    }
  }

  /** Publishes at a rate for some seconds; false if the relay does not keep up. */
  private boolean latency(RelayTarget target, int rate, boolean streams)
      throws InterruptedException {
    Outgoing outgoing = target.fresh(streams);
    Sink sink = new Sink();
    Relay relay =
        Relay.builder(outgoing.records(), sink)
            .batch(500)
            .interval(Duration.ofMillis(streams ? 1_000 : 100))
            .build();
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>(List.of(new Thread(relay::run, "relay")));
    AutoCloseablePoll poll = streams ? target.stream(outgoing, relay) : null;
    if (poll != null) {
      poll.poll();
      threads.add(
          new Thread(
              () -> {
                while (!over.get()) {
                  poll.poll();
                }
              },
              "stream"));
    }
    threads.forEach(Thread::start);
    int published = 0;
    long start = System.nanoTime();
    int perTick = rate * TICK_MILLIS / 1_000;
    for (int tick = 0; tick < SECONDS * 1_000 / TICK_MILLIS; tick++) {
      long due = start + Duration.ofMillis((long) tick * TICK_MILLIS).toNanos();
      LockSupport.parkNanos(Math.max(0, due - System.nanoTime()));
      publish(outgoing.entities(), published % 10_000, published % 10_000 + perTick);
      published += perTick;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    int sent = sink.count.get();
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (sink.count.get() < published && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    over.set(true);
    relay.stop();
    for (Thread thread : threads) {
      thread.join();
    }
    if (poll != null) {
      poll.close();
    }
    long[] sorted = sink.nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    double offered = published / seconds;
    add(
        target.name(),
        streams ? "by stream" : "by index, 100 ms",
        Math.round(offered),
        Math.round(sent / seconds),
        millis(sorted, 0.5),
        millis(sorted, 0.99),
        published - sent);
    return published - sent < rate && offered > rate * 0.9;
  }

  private static String millis(long[] sorted, double share) {
    int at = (int) Math.min(sorted.length - 1L, Math.round(share * sorted.length));
    return Arrays.stream(sorted).skip(at).findFirst().isPresent()
        ? String.format(Locale.ROOT, "%.1f", sorted[at] / 1e6)
        : "-";
  }

  private void add(Object... cells) {
    csv = csv.with(cells);
    System.out.println(csv.padded(csv.size() - 1, 9, 22, 16, 12, 8, 9, 8));
  }

  /**
   * Writes what was measured.
   *
   * @param output where
   */
  public void report(Output output) {
    output.write("relay.csv", csv.toString());
    output.page("relay", csv.markdown(7));
  }
}
