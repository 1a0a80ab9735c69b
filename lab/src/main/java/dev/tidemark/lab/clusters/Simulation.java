package dev.tidemark.lab.clusters;

import dev.tidemark.OutgoingMessage;
import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.lab.clusters.Plan.Kind;
import dev.tidemark.lab.clusters.Plan.Trouble;
import dev.tidemark.outbox.ClusterListener;
import dev.tidemark.outbox.ClusteredRecords;
import dev.tidemark.outbox.Clusters;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One run of a plan: writers, relays and the replicated store, in virtual time. For one thread. */
final class Simulation {
  private static final int ENTITIES = 2_000;
  private static final int SWEEPS = 100;

  private final Plan plan;
  private final boolean isPublished;
  private final Agenda agenda = new Agenda();
  private final Random random;
  private final Told told;
  private final Set<String> names = new TreeSet<>();
  private final List<Cluster> clusters = new ArrayList<>();

  /** The last ordered message of each entity. */
  private final Map<String, Integer> last = new HashMap<>();

  private long inHand;
  private long takeovers;

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
    Replicas<ExecutionRecord> marks = new Replicas<>(plan, agenda, lags);
    for (int cluster = 0; cluster < plan.clusters(); cluster++) {
      names.add(name(cluster));
    }
    for (int cluster = 0; cluster < plan.clusters(); cluster++) {
      clusters.add(new Cluster(cluster, outboxes.of(cluster), marks.of(cluster)));
    }
  }

  private static String name(int cluster) {
    return "c" + cluster;
  }

  /** Ends a relay in the middle of a pass. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("the relay is gone", null, false, false);
    }
  }

  private final class Cluster {
    private final int number;
    private final Clock writers;
    private final ReplicaOutbox outbox;
    private final ReplicaMarks marks;
    private final Set<String> inherited = new TreeSet<>();
    private @Nullable Relay relay;
    private boolean crashes;
    private int sent;

    Cluster(
        int number,
        Replicas<OutboxRecord>.Replica outboxes,
        Replicas<ExecutionRecord>.Replica marks) {
      this.number = number;
      long skew = plan.skew() == 0 ? 0 : random.nextLong(-plan.skew(), plan.skew() + 1);
      long drift = plan.drift() == 0 ? 0 : random.nextLong(-plan.drift(), plan.drift() + 1);
      this.writers = agenda.clock(skew + drift);
      Clock clock = agenda.clock(skew);
      this.outbox = new ReplicaOutbox(outboxes, clock, this::crash);
      this.marks = new ReplicaMarks(marks, clock, this::crash);
    }

    private void crash() {
      if (crashes && sent > 0) {
        crashes = false;
        throw new Crash();
      }
    }

    private Relay relay() {
      if (relay == null) {
        relay = Relay.builder(records(), Sender.each(this::send)).batch(200).build();
      }
      return relay;
    }

    private OutboxRecords records() {
      if (isPublished) {
        return new PublishedRecords(outbox, name(number), plan.maximumDelay());
      }
      ClusterListener listener = (records, origin, messages) -> takeovers += messages;
      Clusters settings =
          Clusters.of(name(number), names, Duration.ofMillis(plan.maximumDelay()))
              .elapsedBy(agenda::nanos)
              .listener(listener);
      for (String cluster : inherited) {
        settings = settings.inheriting(cluster);
      }
      return ClusteredRecords.of(outbox, marks, settings);
    }

    private void send(OutboxMessage message) {
      sent++;
      told.told(Integer.parseInt(message.id()), agenda.now());
    }

    void pass() {
      if (!plan.relays(number, agenda.now())) {
        relay = null;
        return;
      }
      try {
        for (int sweeps = 0; sweeps < SWEEPS; sweeps++) {
          sent = 0;
          if (relay().sweep().sent() == 0) {
            return;
          }
        }
      } catch (Crash e) {
        inHand += sent;
        relay = null;
      }
    }

    void inherit(int cluster) {
      inherited.add(name(cluster));
      relay = null;
    }
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
    Cluster at = clusters.get(cluster);
    OutboxMessage stored = new OutboxMessage(id, at.writers.instant(), message, name(cluster));
    at.outbox.publish(isPublished ? id : key, stored);
  }

  private void everyInterval(Cluster cluster) {
    cluster.pass();
    agenda.at(agenda.now() + plan.interval(), () -> everyInterval(cluster));
  }

  private void prepare() {
    for (int message = 0; message < plan.messages(); message++) {
      agenda.at(message * 1_000L / plan.perSecond(), this::publish);
    }
    for (Cluster cluster : clusters) {
      agenda.at(random.nextLong(plan.interval()), () -> everyInterval(cluster));
    }
    for (Trouble trouble : plan.troubles()) {
      Cluster cluster = clusters.get(trouble.cluster());
      if (trouble.kind() == Kind.CRASH) {
        agenda.at(trouble.from(), () -> cluster.crashes = true);
      } else if (trouble.to() >= Trouble.NEVER) {
        int heir = (trouble.cluster() + 1) % plan.clusters();
        long later = plan.length() + plan.clusters() * plan.maximumDelay();
        agenda.at(later, () -> clusters.get(heir).inherit(trouble.cluster()));
      }
    }
  }

  /** Runs until nothing waits any more, or for so long that nothing will come of it. */
  Result run() {
    prepare();
    long patience = 100L * plan.clusters() * plan.maximumDelay();
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
        new Bound(plan, told).copies(inHand),
        takeovers,
        told.disorder(),
        pending(),
        told.delay(0.99));
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
      long delay) {
    boolean holds() {
      return lost == 0 && copies <= bound && disorder == 0 && pending == 0;
    }

    String line() {
      return "clusters run=%s clusters=%d messages=%d lost=%d copies=%d bound=%d takeovers=%d delay_p99=%.1fs disorder=%d pending=%d"
          .formatted(
              plan.name(),
              plan.clusters(),
              messages,
              lost,
              copies,
              bound,
              takeovers,
              delay / 1_000.0,
              disorder,
              pending);
    }
  }
}
