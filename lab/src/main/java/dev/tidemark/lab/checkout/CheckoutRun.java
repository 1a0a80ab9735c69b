package dev.tidemark.lab.checkout;

import dev.tidemark.MessageId;
import dev.tidemark.example.orderhistory.local.PaymentStub;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run on one store: a storm of requests and kills; then quiet, in which the services end what
 * is left, though nobody asks; then a last request for every order, which has to be answered as the
 * first was. One thread runs it.
 */
final class CheckoutRun implements AutoCloseable {
  private static final int SERVICES = 2;
  private static final List<String> EFFECTS =
      List.of("reservations", PaymentStub.CHARGE, "confirmations");

  /** As the service names its flow. */
  private static final String FLOW = MessageId.of("checkout", "checkout-v1").value();

  private static final Duration QUIET = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Place place;
  private final Settings settings;
  private final PrintStream out;
  private final Clock clock;
  private final PaymentStub payments;
  private final List<Service> services;
  private final Clients clients;
  private final List<Order> orders;
  private final Killer killer;
  private final List<Order> asked;

  /**
   * Starts services on an empty place.
   *
   * @param folder empty, for the payment provider's ledger and the services' logs
   * @param out told how it goes
   */
  CheckoutRun(Place place, Settings settings, Path folder, PrintStream out, Clock clock) {
    this.place = place;
    this.settings = settings;
    this.out = out;
    this.clock = clock;
    this.payments = new PaymentStub(folder);
    this.services =
        IntStream.range(0, SERVICES)
            .mapToObj(i -> new Service(place, payments, folder.resolve("service-" + i + ".log")))
            .toList();
    this.clients = new Clients(services);
    this.orders = Clients.orders(settings);
    List<Order> victims = orders.subList(0, settings.kills());
    this.asked = orders.subList(settings.kills(), orders.size());
    this.killer = new Killer(services, payments, clients, settings, victims);
  }

  /** Runs it, and tells what came of it. */
  CheckoutResult run() throws InterruptedException {
    services.forEach(Service::launch);
    services.forEach(Service::awaitUp);
    Instant start = clock.instant();
    storm();
    killer.missed().forEach(point -> out.println("  nobody died at " + point));
    long given = orders.stream().filter(order -> !order.isDone()).count();
    out.printf(
        "  %d kills and %d cuts later: %d orders without a receipt%n",
        killer.kills(), killer.cuts(), given);
    Set<String> unfinished = awaitQuiet();
    Set<String> wrong = audit(false);
    clients.bring(orders, true);
    wrong.addAll(audit(true));
    Set<String> stuck = new TreeSet<>(unfinished);
    orders.stream().filter(order -> !order.isDone()).forEach(order -> stuck.add(order.key()));
    wrong.stream().limit(5).forEach(key -> out.println("  wrong: " + key));
    stuck.stream().limit(5).forEach(key -> out.println("  stuck: " + key));
    return new CheckoutResult(
        place.store(),
        settings,
        killer.kills(),
        killer.met(),
        killer.cuts(),
        sum(payments.effects(PaymentStub.CHARGE)),
        stuck.size(),
        wrong.size(),
        clients.requests(),
        clients.replays(),
        Duration.between(start, clock.instant()));
  }

  private void storm() throws InterruptedException {
    AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    Thread load =
        new Thread(
            () -> {
              try {
                clients.bring(asked, false);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "clients");
    load.setUncaughtExceptionHandler((thread, e) -> fault.set(e));
    load.start();
    killer.run(load::isAlive);
    load.join();
    if (fault.get() != null) {
      throw new IllegalStateException("the clients failed", fault.get());
    }
  }

  /** Waits until the services have ended every flow; those that they did not end. */
  private Set<String> awaitQuiet() {
    long end = System.nanoTime() + QUIET.toNanos();
    List<String> left = unfinished();
    while (!left.isEmpty() && System.nanoTime() < end) {
      LockSupport.parkNanos(PAUSE.toNanos());
      left = unfinished();
    }
    return new TreeSet<>(left);
  }

  private List<String> unfinished() {
    long ever = clock.instant().plus(Duration.ofDays(1)).toEpochMilli();
    return place.records().due(FLOW, Long.MIN_VALUE, ever, settings.keys());
  }

  private Set<String> audit(boolean isOver) {
    Set<String> wrong = new TreeSet<>();
    EFFECTS.forEach(effect -> wrong.addAll(Audit.wrong(orders, payments.effects(effect), isOver)));
    return wrong;
  }

  private static int sum(Map<String, Integer> effects) {
    return effects.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Override
  public void close() {
    services.forEach(Service::close);
    payments.close();
  }
}
