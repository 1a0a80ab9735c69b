package dev.tidemark.lab.transfers;

import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.lab.storm.Settings;
import dev.tidemark.lab.storm.Weather;
import dev.tidemark.lab.transfers.Bank.Teller;
import dev.tidemark.lab.transfers.Transfer.Told;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Brings transfers to one store, each several times and out of order, until all are done, and then
 * closes the books. One thread runs it.
 */
final class Transfers implements AutoCloseable {
  private static final int TELLERS = 3;
  private static final int ACCOUNTS = 40;

  /** How far a delivery may come before or after its turn. */
  private static final int DISORDER = 60;

  /** How often the store cannot be reached, and for how long. */
  private static final int CUTS = 4;

  private static final long LEAST = 1_200;

  private static final Duration CUT_FOR = Duration.ofMillis(500);

  private final Bank bank;
  private final Settings settings;
  private final PrintStream out;
  private final Clock clock;
  private final List<Teller> tellers;
  private final Weather weather;
  private final List<Transfer> transfers = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(Settings.WORKERS);
  private final ScheduledExecutorService restorer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong deliveries = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicInteger cuts = new AtomicInteger();

  /**
   * Opens tellers on an empty bank.
   *
   * @param around put around each of them
   * @param out told of each round
   */
  Transfers(
      Bank bank, Settings settings, UnaryOperator<Teller> around, PrintStream out, Clock clock) {
    this.bank = bank;
    this.settings = settings;
    this.out = out;
    this.clock = clock;
    this.weather = new Weather(bank, new Settings(scale(), settings.seed(), settings.rounds()));
    this.tellers =
        IntStream.range(0, TELLERS)
            .mapToObj(number -> around.apply(bank.teller(number == 0)))
            .toList();
  }

  /** Cuts and step-downs are so many for each run of this size; a small one has fewer. */
  private long scale() {
    return Math.max(LEAST, settings.deliveries());
  }

  /** Runs them, and tells what came of it. */
  TransfersResult run() throws InterruptedException {
    Instant start = clock.instant();
    List<Transfer> next = round(script());
    for (int left = settings.rounds(); left > 0 && !next.isEmpty(); left--) {
      out.printf("  %,d deliveries so far, %d not done%n", deliveries.get(), next.size());
      int before = next.size();
      next = round(next);
      left = next.size() < before ? settings.rounds() + 1 : left;
    }
    List<String> wrong = new Books(transfers).wrong(bank.rows());
    wrong.stream().limit(10).forEach(line -> out.println("    wrong: " + line));
    int undone = Math.toIntExact(transfers.stream().filter(one -> !one.isDone()).count());
    return new TransfersResult(
        bank.store(),
        settings,
        deliveries.get(),
        transfers.size(),
        unknown.get(),
        undone,
        wrong.size(),
        weather,
        cuts.get(),
        bank.requests(),
        Duration.between(start, clock.instant()));
  }

  /** All deliveries: each transfer one to three times, not far from its turn. */
  private List<Transfer> script() {
    record Due(int at, Transfer transfer) {}
    Random random = new Random(settings.seed());
    List<Due> due = new ArrayList<>();
    while (due.size() < settings.deliveries()) {
      int number = transfers.size();
      boolean tracked = random.nextBoolean();
      String kind = tracked ? "tracked-" : "plain-";
      int from = random.nextInt(ACCOUNTS);
      int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
      long cents = 1L + random.nextInt(10_000);
      Transfer transfer = new Transfer(number, kind + from, kind + to, cents, tracked);
      transfers.add(transfer);
      for (int times = random.nextInt(3); times >= 0; times--) {
        due.add(new Due(number + random.nextInt(DISORDER), transfer));
      }
    }
    return due.stream().sorted(Comparator.comparingInt(Due::at)).map(Due::transfer).toList();
  }

  /** Brings deliveries, several at a time, and gives those that were not done. */
  private List<Transfer> round(List<Transfer> all) throws InterruptedException {
    Queue<Transfer> queue = new ConcurrentLinkedQueue<>(all);
    Queue<Transfer> again = new ConcurrentLinkedQueue<>();
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (int worker = 0; worker < Settings.WORKERS; worker++) {
      Teller teller = tellers.get(worker % tellers.size());
      tasks.add(
          () -> {
            work(teller, queue, again);
            return null;
          });
    }
    for (Future<@Nullable Void> task : threads.invokeAll(tasks)) {
      ended(task);
    }
    return List.copyOf(again);
  }

  private void work(Teller teller, Queue<Transfer> queue, Queue<Transfer> again) {
    for (Transfer transfer = queue.poll(); transfer != null; transfer = queue.poll()) {
      Told told = told(teller, transfer);
      transfer.note(told);
      if (told != Told.MADE && told != Told.KNOWN) {
        again.add(transfer);
      }
      reached(deliveries.incrementAndGet());
    }
  }

  private Told told(Teller teller, Transfer transfer) {
    try {
      return teller.bring(transfer);
    } catch (OutcomeUnknownException e) {
      unknown.incrementAndGet();
      return Told.UNKNOWN;
    } catch (RuntimeException e) { // busy, or unreachable: nothing was made
      return Told.NOTHING;
    }
  }

  /** Does what is due by now: the weather, and at times a cut of all connections. */
  private void reached(long count) {
    weather.reached(count);
    long between = scale() / CUTS;
    if (count % between == between / 2) {
      cuts.incrementAndGet();
      bank.proxy().refuse();
      var unused =
          restorer.schedule(bank.proxy()::restore, CUT_FOR.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static void ended(Future<@Nullable Void> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a worker failed", e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    restorer.shutdownNow();
  }
}
