package dev.tidemark.lab.clusters;

import dev.tidemark.lab.clusters.Plan.Kind;
import dev.tidemark.lab.clusters.Plan.Runs;
import dev.tidemark.lab.clusters.Plan.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The plans of a demonstration. The times of troubles are parts of a run's length. */
final class Plans {
  private static final long DELAY = 20_000;
  private static final long LAG = 1_000;

  /** So many messages are enough where each pass takes long. */
  private static final int MOST_HARD = 1_000;

  private final int messages;
  private final long seed;
  private final int perSecond;

  /** Plans of so many messages each. */
  Plans(int messages, long seed) {
    this.messages = messages;
    this.seed = seed;
    this.perSecond = Math.max(10, messages / 500);
  }

  /** All plans for a number of clusters. */
  List<Plan> of(int clusters) {
    long length = messages * 1_000L / perSecond;
    long begin = length / 5;
    long end = length / 2;
    Plan quiet = plan("quiet", clusters, List.of());
    List<Plan> plans = new ArrayList<>();
    plans.add(quiet);
    plans.add(plan("lost", clusters, List.of(one(Kind.OUTAGE, 0, begin, Trouble.NEVER))));
    plans.add(plan("outage", clusters, List.of(one(Kind.OUTAGE, 0, begin, end))));
    plans.add(plan("no-relay", clusters, List.of(one(Kind.RELAYS, 0, begin, Trouble.NEVER))));
    plans.add(plan("relay-back", clusters, List.of(one(Kind.RELAYS, 0, begin, end))));
    plans.add(plan("partition", clusters, List.of(new Trouble(Kind.CUT, 0, -1, begin, end))));
    plans.add(with("skew", quiet, LAG, 600_000, DELAY / 8));
    plans.add(with("lag", quiet, DELAY / 2 - 2_000, 0, 0));
    plans.add(with("lag-near-delay", quiet, DELAY - 3_000, 0, 0));
    plans.add(with("lag-beyond-delay", quiet, DELAY * 3 / 2, 0, 0));
    plans.add(plan("crashes", clusters, crashes(clusters, length, 20)));
    plans.add(with("random", plan("", clusters, random(clusters, length)), 3 * LAG, 60_000, LAG));
    plans.addAll(functions(clusters, length));
    plans.add(paused(clusters, length));
    Plans few = new Plans(Math.min(messages, MOST_HARD), seed);
    plans.addAll(few.hard(clusters, few.messages * 1_000L / few.perSecond));
    return plans;
  }

  /** Plans whose relays begin anew at each pass, often with pauses that are longer than a turn. */
  private List<Plan> functions(int clusters, long length) {
    Plan quiet = plan("functions", clusters, List.of());
    long pause = DELAY * 3 / 2;
    List<Trouble> noRelay = List.of(one(Kind.RELAYS, 0, length / 5, Trouble.NEVER));
    List<Trouble> outage = List.of(one(Kind.OUTAGE, 0, length / 5, length / 2));
    return List.of(
        every(LAG, Runs.FUNCTIONS, quiet),
        every(LAG, Runs.FUNCTIONS, plan("functions-no-relay", clusters, noRelay)),
        every(pause, Runs.FUNCTIONS, plan("functions-pause", clusters, List.of())),
        every(pause, Runs.FUNCTIONS, plan("functions-pause-no-relay", clusters, noRelay)),
        every(pause, Runs.FUNCTIONS, plan("functions-pause-outage", clusters, outage)));
  }

  /**
   * A plan in which the relays of a cluster stand still again and again, for longer than a turn.
   */
  private Plan paused(int clusters, long length) {
    List<Trouble> pauses = new ArrayList<>();
    for (long from = 0; from < length + 20 * DELAY; from += DELAY * 3 / 2) {
      pauses.add(one(Kind.PAUSE, 0, from, from + DELAY * 5 / 4));
    }
    return plan("paused", clusters, pauses);
  }

  /** Plans in which relays end again and again, and requests are on their way for long. */
  private List<Plan> hard(int clusters, long length) {
    List<Trouble> lost = List.of(one(Kind.RELAYS, 0, length / 5, Trouble.NEVER));
    Plan random = with("", plan("", clusters, random(clusters, length)), 3 * LAG, 60_000, LAG);
    return List.of(
        every(LAG, new Runs(false, 1, 0, 0, 400), plan("restarts", clusters, lost)),
        every(LAG, new Runs(false, 1, 3 * DELAY, 0, 0), plan("slow", clusters, lost)),
        every(LAG, new Runs(false, 2, 3 * DELAY, 20, 1_000), named("held", random)),
        every(2 * DELAY, new Runs(true, 2, 3 * DELAY, 20, 1_000), named("functions-held", random)));
  }

  private static Plan named(String name, Plan plan) {
    return with(name, plan, plan.lag(), plan.skew(), plan.drift());
  }

  private static Plan every(long interval, Runs runs, Plan plan) {
    return new Plan(
        plan.name(),
        plan.clusters(),
        plan.messages(),
        plan.perSecond(),
        plan.seed(),
        plan.maximumDelay(),
        interval,
        runs,
        plan.shortest(),
        plan.lag(),
        plan.skew(),
        plan.drift(),
        plan.troubles());
  }

  private Plan plan(String name, int clusters, List<Trouble> troubles) {
    return new Plan(
        name,
        clusters,
        messages,
        perSecond,
        seed,
        DELAY,
        1_000,
        Runs.ALWAYS,
        50,
        LAG,
        0,
        0,
        troubles);
  }

  private static Plan with(String name, Plan plan, long lag, long skew, long drift) {
    return new Plan(
        name,
        plan.clusters(),
        plan.messages(),
        plan.perSecond(),
        plan.seed(),
        plan.maximumDelay(),
        plan.interval(),
        plan.runs(),
        plan.shortest(),
        lag,
        skew,
        drift,
        plan.troubles());
  }

  private static Trouble one(Kind kind, int cluster, long from, long to) {
    return new Trouble(kind, cluster, 0, from, to);
  }

  private List<Trouble> crashes(int clusters, long length, int count) {
    Random random = new Random(seed + 2);
    List<Trouble> crashes = new ArrayList<>();
    for (int crash = 0; crash < count; crash++) {
      long at = random.nextLong(length);
      crashes.add(one(Kind.CRASH, random.nextInt(clusters), at, at));
    }
    return crashes;
  }

  /** Troubles of all kinds. One cluster has no outage, so there is always one that writes. */
  private List<Trouble> random(int clusters, long length) {
    Random random = new Random(seed + 3);
    List<Trouble> troubles = new ArrayList<>(crashes(clusters, length, 10));
    for (int count = 0; count < 6; count++) {
      long from = random.nextLong(length);
      long to = from + random.nextLong(1_000, length / 6);
      int cluster = random.nextInt(clusters);
      int other = (cluster + 1 + random.nextInt(clusters - 1)) % clusters;
      Kind kind = cluster == 0 ? Kind.RELAYS : Kind.OUTAGE;
      Kind either = random.nextBoolean() ? Kind.CUT : kind;
      troubles.add(new Trouble(either, cluster, other, from, to));
    }
    return troubles;
  }
}
