package dev.tidemark.lab.clusters;

import dev.tidemark.lab.clusters.Plan.Kind;
import dev.tidemark.lab.clusters.Plan.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The plans of a demonstration. The times of troubles are parts of a run's length. */
final class Plans {
  private static final long DELAY = 20_000;
  private static final long LAG = 1_000;

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
    return plans;
  }

  private Plan plan(String name, int clusters, List<Trouble> troubles) {
    return new Plan(
        name, clusters, messages, perSecond, seed, DELAY, 1_000, 50, LAG, 0, 0, troubles);
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
