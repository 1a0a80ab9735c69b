package dev.tidemark.lab.orders;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** What goes wrong in one run, step by step. For one thread. */
final class FaultScript {
  private static final int ROLLS = 4;
  private static final int RESTARTS = 2;
  private static final int BURSTS = 25;
  private static final int SLOW_BURSTS = 8;

  private final CellRun run;
  private final Mail mail;
  private final Crew crew;
  private final Random random;

  FaultScript(CellRun run) {
    this.run = run;
    this.mail = run.mail();
    this.crew = run.crew();
    this.random = Mail.random(run.options());
  }

  /** For how long a queue waits for the consumer of a message. */
  static Duration patience(Fault fault) {
    return switch (fault) {
      case KILL, SLOW_WORK -> Duration.ofSeconds(2);
      case STORE_REFUSED, STORE_BLACK_HOLE -> Duration.ofSeconds(10);
      default -> Duration.ofSeconds(5);
    };
  }

  /** Runs it up to where everything that was sent only has to be handled; tells what was done. */
  String run() throws InterruptedException {
    return switch (run.cell().fault()) {
      case NONE, POISON -> deliver();
      case KILL -> run.cell().carrier().equals("lambda") ? killContainers() : kill();
      case BROKER_RESTART -> restartBroker();
      case STORE_REFUSED -> outage(run.proxy()::refuse);
      case STORE_BLACK_HOLE -> outage(run.proxy()::blackHole);
      case LOST_REPLIES -> loseReplies();
      case ROLLING -> run.cell().carrier().equals("lambda") ? rollContainers() : roll();
      case SLOW_WORK -> workSlowly();
      case REPLAY -> replay();
    };
  }

  private String deliver() {
    run.feed().send(mail.letters());
    crew.start(2, Map.of());
    return mail.poison().size() + " poison records";
  }

  private String replay() throws InterruptedException {
    run.feed().send(mail.letters());
    crew.start(2, Map.of());
    run.awaitDone();
    crew.stop();
    run.feed().replay();
    long before = run.tally().deliveries();
    crew.start(2, Map.of());
    run.awaitDeliveries(before + mail.letters().size() - mail.poison().size());
    return "everything again";
  }

  private String loseReplies() throws InterruptedException {
    crew.start(2, Map.of());
    for (List<Letter> part : mail.parts(BURSTS)) {
      long before = run.tally().deliveries();
      run.feed().send(part);
      run.awaitDeliveries(before + part.size() / 2);
    }
    run.awaitDone();
    if (run.proxy().dropped() == 0) {
      throw new IllegalStateException("no reply was lost");
    }
    return run.proxy().dropped() + " replies lost";
  }

  /** In bursts, so that an idle consumer is there for what seems to be left behind. */
  private String workSlowly() throws InterruptedException {
    crew.start(1, Map.of("patienceMillis", "2000"));
    crew.start(1, Map.of("patienceMillis", "2000", "noHeartbeat", "yes"));
    for (List<Letter> part : mail.parts(SLOW_BURSTS)) {
      run.feed().send(part);
      run.awaitAcknowledged();
    }
    long again = run.tally().deliveries() - decodable(mail.letters());
    if (again <= 0) {
      throw new IllegalStateException("no message came again while work on it went on");
    }
    return again + " came again during work of " + Hindrance.SLOW.toMillis() + " ms";
  }

  private String outage(Runnable begin) throws InterruptedException {
    List<List<Letter>> parts = mail.parts(2);
    run.feed().send(parts.get(0));
    crew.start(2, Map.of());
    run.awaitDeliveries(parts.get(0).size() / 3);
    begin.run();
    run.feed().send(parts.get(1));
    Thread.sleep(run.options().outage().toMillis());
    run.proxy().restore();
    return run.options().outage().toSeconds() + " s";
  }

  private String restartBroker() throws InterruptedException {
    List<List<Letter>> parts = mail.parts(RESTARTS + 1);
    run.feed().send(parts.get(0));
    crew.start(2, Map.of());
    long sent = 0;
    for (int i = 0; i < RESTARTS; i++) {
      run.awaitDeliveries(sent + parts.get(i).size() / 3);
      run.broker().restart();
      sent += parts.get(i).size();
      run.feed().send(parts.get(i + 1));
    }
    return RESTARTS + " restarts";
  }

  /** Each consumer gets enough to die of, beside what the one before it did not acknowledge. */
  private String kill() throws InterruptedException {
    int kills = run.options().kills();
    List<List<Letter>> parts = mail.parts(kills + 2);
    deliverInPeace(parts.get(kills + 1));
    Deque<Child> standby = new ArrayDeque<>();
    standby.add(mortal(parts.get(0).size()));
    for (int i = 0; i < kills; i++) {
      standby.add(i + 1 < kills ? mortal(parts.get(i + 1).size()) : crew.child(member()));
      run.feed().send(parts.get(i));
      Child next = standby.remove();
      next.ready().go();
      next.awaitParked();
      next.kill();
    }
    run.feed().send(parts.get(kills));
    standby.remove().ready().go();
    return kills + " kills";
  }

  /**
   * In two parts, so that a change stream has brought something, and not only the first reading of
   * all: there is a place to go on from then.
   */
  private void deliverInPeace(List<Letter> letters) throws InterruptedException {
    crew.start(1, member());
    List<Letter> rest = letters;
    for (int half = letters.size() / 2; !rest.isEmpty(); half = rest.size()) {
      run.feed().send(rest.subList(0, half));
      rest = rest.subList(half, rest.size());
      run.awaitDeliveries(decodable(letters) - decodable(rest));
      run.awaitAcknowledged();
    }
    crew.stop();
  }

  private long decodable(List<Letter> letters) {
    return letters.stream().filter(letter -> !mail.poison().contains(letter.body())).count();
  }

  private Child mortal(int enough) {
    return crew.child(new Brief(member()).and(CrashPoint.settings(enough, random)).values());
  }

  /** In Kafka the next one has the dead one's name, so that the group need not wait for it. */
  private static Map<String, String> member() {
    return Map.of("member", "the-one-that-dies");
  }

  private String killContainers() throws InterruptedException {
    int kills = run.options().kills();
    int each = Math.max(1, mail.letters().size() / (kills + 1));
    Deque<Child> standby = new ArrayDeque<>(List.of(mortal(each)));
    AtomicInteger made = new AtomicInteger(1);
    Containers containers =
        new Containers(
            () -> {
              standby.add(made.getAndIncrement() < kills ? mortal(each) : crew.child(Map.of()));
              return standby.remove();
            });
    run.feed().send(mail.letters());
    crew.map(containers, 1);
    run.awaitDone();
    if (containers.killed() != kills) {
      throw new IllegalStateException(containers.killed() + " containers died, not " + kills);
    }
    return kills + " kills";
  }

  private String roll() throws InterruptedException {
    List<List<Letter>> parts = mail.parts(2 * ROLLS + 1);
    Child old = crew.child(Map.of());
    old.ready().go();
    for (int i = 0; i < ROLLS; i++) {
      Child next = crew.child(Map.of());
      run.feed().send(parts.get(2 * i));
      next.ready().go();
      long before = run.tally().deliveries();
      run.feed().send(parts.get(2 * i + 1));
      run.awaitDeliveries(before + parts.get(2 * i + 1).size() / 2);
      old.terminate();
      old = next;
    }
    run.feed().send(parts.get(2 * ROLLS));
    run.awaitDone();
    old.terminate();
    return ROLLS + " rolls";
  }

  private String rollContainers() throws InterruptedException {
    List<List<Letter>> parts = mail.parts(ROLLS + 1);
    Containers containers = new Containers(() -> crew.child(Map.of()));
    crew.map(containers, 2);
    long sent = 0;
    for (int i = 0; i < ROLLS; i++) {
      containers.add();
      run.feed().send(parts.get(i));
      run.awaitDeliveries(sent + parts.get(i).size() / 2);
      containers.retire();
      sent += parts.get(i).size();
    }
    run.feed().send(parts.get(ROLLS));
    return ROLLS + " rolls";
  }
}
