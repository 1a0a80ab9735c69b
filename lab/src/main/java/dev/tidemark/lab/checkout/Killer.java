package dev.tidemark.lab.checkout;

import dev.tidemark.example.orderhistory.local.PaymentStub;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.example.orderhistory.local.Trap;
import dev.tidemark.example.orderhistory.local.Trap.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Kills services while clients ask them: every other one at a certain request of a certain order,
 * until there was a kill at each {@link KillPoint}, and the others at whatever request comes. In
 * between it cuts off stores. One thread runs it.
 */
final class Killer {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final long SOON_MILLIS = 3_000;

  /** Requests of which one is chosen by chance. */
  private static final int SOME = 30;

  private static final int CUT_EVERY = 3;

  private final List<Service> services;
  private final PaymentStub payments;
  private final Clients clients;
  private final Settings settings;
  private final Random random;
  private final Deque<KillPoint> points;
  private final Deque<Order> victims;
  private final Set<String> missed = new TreeSet<>();
  private int kills;
  private int met;
  private int cuts;

  /**
   * A killer.
   *
   * @param victims orders that only it asks for at first
   */
  Killer(
      List<Service> services,
      PaymentStub payments,
      Clients clients,
      Settings settings,
      List<Order> victims) {
    this.services = services;
    this.payments = payments;
    this.clients = clients;
    this.settings = settings;
    this.random = new Random(settings.seed());
    List<KillPoint> all = new ArrayList<>(KillPoint.all());
    Collections.shuffle(all, random);
    this.points = new ArrayDeque<>(all);
    this.victims = new ArrayDeque<>(victims);
  }

  /** Kills as often as it was told; by chance only while there are clients. */
  void run(BooleanSupplier isBusy) {
    int between = settings.keys() / (settings.kills() + 1);
    for (int i = 0; i < settings.kills(); i++) {
      int due = (i + 1) * between;
      while (clients.done() < due && isBusy.getAsBoolean()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      Service service = services.get(i % services.size());
      if (i % CUT_EVERY == 0) {
        cut(services.get((i / CUT_EVERY) % services.size()), i / CUT_EVERY);
      }
      KillPoint point = i % 2 == 0 || !isBusy.getAsBoolean() ? points.poll() : null;
      if (point != null) {
        at(point, service);
      } else if (isBusy.getAsBoolean()) {
        byChance(service);
      }
    }
  }

  /** One of three ways; restored after a moment. */
  private void cut(Service service, int way) {
    cuts++;
    TcpProxy store = service.store();
    if (way % 3 == 0) {
      store.dropNextReply();
      payments.loseNextAnswer();
      return;
    }
    if (way % 3 == 1) {
      store.refuse();
    } else {
      store.blackHole();
    }
    LockSupport.parkNanos(Duration.ofMillis(300 + random.nextInt(700)).toNanos());
    store.restore();
  }

  private void at(KillPoint point, Service service) {
    Order victim = victims.remove();
    TcpProxy proxy = point.atPayments() ? service.payments() : service.store();
    List<String> texts = List.of(victim.key() + '"', victim.key() + '\0', victim.id());
    proxy.set(new Trap(texts, point.number(), point.moment(), service::kill));
    CompletableFuture<Boolean> answer = clients.ask(victim, service);
    boolean told = answer.join();
    if (!told && service.awaitEnd(SOON_MILLIS)) {
      met++;
      var unused = missed.remove(point.toString());
    } else {
      var unused = missed.add(point.toString());
      points.add(point); // for another try, if kills are left
      service.kill();
    }
    restart(service);
  }

  private void byChance(Service service) {
    Moment moment = random.nextBoolean() ? Moment.BEFORE : Moment.AFTER;
    int number = 1 + random.nextInt(SOME);
    service.store().set(new Trap(List.of("executions"), number, moment, service::kill));
    var unused = service.awaitEnd(SOON_MILLIS);
    service.kill();
    restart(service);
  }

  private void restart(Service service) {
    kills++;
    if (!service.awaitEnd(SOON_MILLIS)) {
      throw new IllegalStateException("a service survived SIGKILL");
    }
    service.store().set(new Trap(List.of(), 1, Moment.BEFORE, () -> {}));
    service.payments().set(new Trap(List.of(), 1, Moment.BEFORE, () -> {}));
    service.launch();
    service.awaitUp();
  }

  int kills() {
    return kills;
  }

  /** At how many different points a process died. */
  int met() {
    return met;
  }

  /** Points at which none died, though one was to. */
  Set<String> missed() {
    return missed;
  }

  int cuts() {
    return cuts;
  }
}
