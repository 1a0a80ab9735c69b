package dev.tidemark.lab.clusters;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.lab.clusters.Plan.Kind;
import dev.tidemark.lab.clusters.Plan.Trouble;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.Relay;
import dev.tidemark.store.StoredRecord;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One run of a plan: writers, relays and the replicated store, in virtual time. For one thread. */
final class Simulation {
  private static final int ENTITIES = 2_000;

  /** Says nothing: relays that are made to end, by the thousand, would each have a line. */
  private static final Logger RELAYS = Logger.getLogger(Relay.class.getName());

  static {
    RELAYS.setLevel(Level.OFF);
  }

  private final Plan plan;
  private final boolean isPublished;
  private final Agenda agenda = new Agenda();
  private final Random random;
  private final Told told;
  private final List<ClusterRun> clusters = new ArrayList<>();

  /** The last ordered message of each entity. */
  private final Map<String, Integer> last = new HashMap<>();

  /**
   * A run.
   *
   * @param isPublished whether the published algorithm is to be run, on the same plan
   */
  Simulation(Plan plan, boolean isPublished) {
    this.plan = plan;
    this.isPublished = isPublished;
    this.random = new Random(plan.seed());
    this.told = new Told(plan.messages());
    Random lags = new Random(plan.seed() + 1);
    Replicas<OutboxRecord> outboxes = new Replicas<>(plan, agenda, lags);
    Replicas<StoredRecord> marks = new Replicas<>(plan, agenda, lags);
    for (int cluster = 0; cluster < plan.clusters(); cluster++) {
      clusters.add(cluster(cluster, outboxes, marks));
    }
  }

  private ClusterRun cluster(
      int number, Replicas<OutboxRecord> outboxes, Replicas<StoredRecord> marks) {
    long skew = plan.skew() == 0 ? 0 : random.nextLong(-plan.skew(), plan.skew() + 1);
    long drift = plan.drift() == 0 ? 0 : random.nextLong(-plan.drift(), plan.drift() + 1);
    Clock clock = agenda.clock(skew);
    return new ClusterRun(
        number,
        plan,
        isPublished,
        agenda,
        random,
        told,
        clock,
        agenda.clock(skew + drift),
        new ReplicaOutbox(outboxes.of(number), clock),
        new ReplicaMarks(marks.of(number), clock));
  }

  private void publish() {
    int cluster = random.nextInt(plan.clusters());
    int entity = random.nextInt(ENTITIES);
    boolean isOrdered = random.nextInt(10) > 0;
    while (!plan.writes(cluster, agenda.now())) {
      cluster = (cluster + 1) % plan.clusters();
    }
    String key = cluster + "/" + entity;
    int behind = isOrdered ? last.getOrDefault(key, -1) : -1;
    int number = told.published(agenda.now(), cluster, behind);
    String id = Integer.toString(number);
    OutgoingMessage message = OutgoingMessage.to("orders", id).id(id);
    if (isOrdered) {
      last.put(key, number);
    } else {
      message = message.unordered();
    }
    ClusterRun at = clusters.get(cluster);
    OutboxMessage stored = new OutboxMessage(id, at.writers.instant(), message, at.name());
    at.outbox.publish(isPublished ? id : key, stored);
  }

  private void prepare() {
    for (int message = 0; message < plan.messages(); message++) {
      agenda.at(message * 1_000L / plan.perSecond(), this::publish);
    }
    clusters.forEach(ClusterRun::begin);
    for (Trouble trouble : plan.troubles()) {
      ClusterRun cluster = clusters.get(trouble.cluster());
      if (trouble.kind() == Kind.CRASH) {
        agenda.at(trouble.from(), cluster::crash);
      } else if (trouble.to() >= Trouble.NEVER) {
        int heir = (trouble.cluster() + 1) % plan.clusters();
        long later = plan.length() + plan.clusters() * plan.maximumDelay();
        agenda.at(later, () -> clusters.get(heir).inherit(trouble.cluster()));
      }
    }
  }

  /** Runs until nothing waits any more, or for so long that nothing will come of it. */
  Result run() {
    try (agenda) {
      return result();
    }
  }

  private Result result() {
    prepare();
    long turns = plan.runs().areHard() ? 10_000 : 100;
    long patience = turns * plan.clusters() * plan.maximumDelay();
    long next = plan.length();
    while (agenda.next(plan.length() + patience)) {
      if (agenda.now() >= next) {
        next = agenda.now() + plan.interval();
        if (told.count() == plan.messages() && pending() == 0) {
          break;
        }
      }
    }
    return new Result(
        plan,
        told.count(),
        told.lost(),
        told.copies(),
        new Bound(plan, told).copies(sum(cluster -> cluster.inHand)),
        sum(cluster -> cluster.takeovers),
        told.disorder(),
        pending(),
        told.delay(0.99),
        sum(cluster -> cluster.relays),
        clusters.stream().mapToLong(cluster -> cluster.gap).max().orElse(0));
  }

  private long sum(ToLongFunction<ClusterRun> count) {
    return clusters.stream().mapToLong(count).sum();
  }

  /** What waits in clusters that live. */
  private int pending() {
    return clusters.stream()
        .filter(cluster -> plan.writes(cluster.number, agenda.now()))
        .mapToInt(cluster -> cluster.outbox.pending())
        .sum();
  }

  /**
   * What came of a run.
   *
   * @param lost messages that nobody was told
   * @param copies how often messages were told again
   * @param bound how many copies there can be
   * @param takeovers messages that a cluster has sent in place of another
   * @param disorder messages that were told before one that has to come first
   * @param pending records in which messages wait at the end
   * @param delay from publishing to sending, in milliseconds, of all but one in a hundred
   * @param relays how many relays have begun
   * @param gap the longest time between the beginnings of two passes of a relay, in milliseconds
   */
  record Result(
      Plan plan,
      int messages,
      int lost,
      long copies,
      long bound,
      long takeovers,
      int disorder,
      int pending,
      long delay,
      long relays,
      long gap) {
    boolean holds() {
      boolean isCalm = !plan.isCalm() || takeovers == 0;
      boolean isSound = lost == 0 && copies <= bound && disorder == 0 && pending == 0;
      return isSound && isCalm && isReached();
    }

    /** Whether relays were functions, and stood still for long, where the plan says so. */
    private boolean isReached() {
      boolean areMany = !plan.runs().areFunctions() || relays > plan.clusters();
      return areMany && (!plan.outlastsDelay() || gap > plan.maximumDelay());
    }

    String line() {
      return "clusters run=%s clusters=%d messages=%d lost=%d copies=%d bound=%s takeovers=%d delay_p99=%.1fs disorder=%d pending=%d relays=%d longest_gap=%.1fs"
          .formatted(
              plan.name(),
              plan.clusters(),
              messages,
              lost,
              copies,
              plan.runs().areHard() ? "none" : "" + bound,
              takeovers,
              delay / 1_000.0,
              disorder,
              pending,
              relays,
              gap / 1_000.0);
    }
  }
}
