package dev.tidemark.lab.clusters;

import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The way of one relay's requests to its cluster's replica: they and their replies may be on it for
 * long, get lost, and come late. For one thread.
 */
final class Wire {
  /** One of so many requests and replies is held for long. */
  private static final int SELDOM = 200;

  private static final int SHORT = 100;

  private final Plan plan;
  private final int cluster;
  private final Agenda agenda;
  private final Random random;
  private final BooleanSupplier crashes;
  private boolean isDead;

  /**
   * A way.
   *
   * @param crashes whether the relay ends before its next write
   */
  Wire(Plan plan, int cluster, Agenda agenda, Random random, BooleanSupplier crashes) {
    this.plan = plan;
    this.cluster = cluster;
    this.agenda = agenda;
    this.random = random;
    this.crashes = crashes;
  }

  /** The relay has ended in the middle of a pass: whatever it does now comes to nothing. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("the relay is gone", null, false, false);
    }
  }

  boolean isDead() {
    return isDead;
  }

  private void die() {
    isDead = true;
    throw new Crash();
  }

  /** Lets time pass, in which the relay may end, or stand still. */
  void hold() {
    hold(SELDOM);
  }

  /** Lets time pass while the broker takes a message. */
  void send() {
    hold(10 * SELDOM);
  }

  private void hold(int seldom) {
    int crash = plan.runs().crash();
    if (isDead
        || !plan.relays(cluster, agenda.now())
        || (crash > 0 && random.nextInt(crash) == 0)) {
      die();
    }
    long most = plan.runs().hold();
    if (most > 0) {
      pass(random.nextLong(random.nextInt(seldom) == 0 ? most : SHORT));
    }
    while (plan.pauses(cluster, agenda.now())) {
      pass(plan.interval());
    }
    if (!plan.relays(cluster, agenda.now())) {
      die();
    }
  }

  private void pass(long millis) {
    if (!agenda.hold(millis)) {
      die();
    }
  }

  <A> A read(Supplier<A> request) {
    hold();
    A answer = request.get();
    hold();
    return answer;
  }

  /** Carries a request that writes. */
  <A> A write(Supplier<A> request, Supplier<A> unsure) {
    if (crashes.getAsBoolean()) {
      die();
    }
    hold();
    int lost = plan.runs().lost();
    if (lost == 0 || random.nextInt(lost) > 0) {
      A answer = request.get();
      hold();
      return answer;
    }
    Runnable unanswered =
        () -> {
          A unused = request.get();
        };
    if (random.nextBoolean()) {
      unanswered.run();
    } else {
      agenda.at(agenda.now() + random.nextLong(2 * plan.runs().hold() + 1), unanswered);
    }
    hold();
    return unsure.get();
  }
}
