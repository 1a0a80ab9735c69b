package dev.tidemark.lab.clusters;

import java.util.List;

/**
 * The settings of a run. Times are in milliseconds.
 *
 * @param name of the run
 * @param clusters how many there are
 * @param messages how many are published
 * @param perSecond how many are published in a second, in all clusters together
 * @param seed chooses everything that is random
 * @param maximumDelay how long each cluster in turn is given
 * @param interval between two passes of a relay
 * @param runs how relays run
 * @param shortest the shortest lag of the replication
 * @param lag the longest
 * @param skew by how much the clocks of clusters differ from the true time
 * @param drift by how much the clock of a cluster's writers differs from that of its relays
 * @param troubles what goes wrong, and when
 */
record Plan(
    String name,
    int clusters,
    int messages,
    int perSecond,
    long seed,
    long maximumDelay,
    long interval,
    Runs runs,
    long shortest,
    long lag,
    long skew,
    long drift,
    List<Trouble> troubles) {
  /**
   * How relays run.
   *
   * @param areFunctions whether each pass is made by a relay that knows nothing of those before it
   * @param instances how many relays a cluster has, which share no leases
   * @param hold for how long a request, a reply or a call of the sender may be on its way
   * @param lost one of so many replies is lost, and of those every other request comes late; 0 for
   *     none
   * @param crash before one of so many requests, replies and calls of the sender the relay ends; 0
   *     for none
   */
  record Runs(boolean areFunctions, int instances, long hold, int lost, int crash) {
    /** One relay for all its time, whose requests take none. */
    static final Runs ALWAYS = new Runs(false, 1, 0, 0, 0);

    static final Runs FUNCTIONS = new Runs(true, 1, 0, 0, 0);

    /** Whether any number of messages may be sent again, as what was sent is not known. */
    boolean areHard() {
      return instances > 1 || hold > 0 || lost > 0 || crash > 0;
    }
  }

  /** What goes wrong. */
  enum Kind {
    /** A cluster neither writes nor sends nor replicates. */
    OUTAGE,
    /** A cluster writes and replicates, and sends nothing. */
    RELAYS,
    /** A cluster is cut off from another. */
    CUT,
    /** The relays of a cluster stand still, and go on with what they know. */
    PAUSE,
    /** The relay of a cluster ends after it has sent, and before it has taken off what it sent. */
    CRASH
  }

  /**
   * A time of trouble.
   *
   * @param kind what goes wrong
   * @param cluster where
   * @param other the other end, if it is a cut; -1 for all others
   * @param from the beginning
   * @param to the end; {@link #NEVER} if it has none
   */
  record Trouble(Kind kind, int cluster, int other, long from, long to) {
    static final long NEVER = Long.MAX_VALUE / 4;

    boolean isOn(long time) {
      return from <= time && time < to;
    }

    private boolean meets(int end) {
      return other < 0 || other == end;
    }

    boolean meets(Trouble another, long margin) {
      return from - margin < another.to && another.from - margin < to;
    }
  }

  /** Whether nothing happens that would let one cluster send in place of another. */
  boolean isCalm() {
    return troubles.isEmpty() && !runs.areHard() && 2 * (interval + lag + drift) <= maximumDelay;
  }

  /** Whether relays look at their shards at times that are further apart than a turn. */
  boolean outlastsDelay() {
    return interval > maximumDelay
        || troubles.stream()
            .anyMatch(one -> one.kind() == Kind.PAUSE && one.to() - one.from() > maximumDelay);
  }

  /** When the last message is published. */
  long length() {
    return messages * 1_000L / perSecond;
  }

  private boolean is(Kind kind, int cluster, long time) {
    for (Trouble one : troubles) { // a stream would take a quarter of a run
      if (one.kind() == kind && one.cluster() == cluster && one.isOn(time)) {
        return true;
      }
    }
    return false;
  }

  boolean writes(int cluster, long time) {
    return !is(Kind.OUTAGE, cluster, time);
  }

  boolean relays(int cluster, long time) {
    return writes(cluster, time) && !is(Kind.RELAYS, cluster, time);
  }

  boolean pauses(int cluster, long time) {
    return is(Kind.PAUSE, cluster, time);
  }

  /** From when on two clusters can reach each other: the time itself if they can now. */
  long reachable(int from, int to, long time) {
    long at = time;
    boolean moved = true;
    while (moved) {
      moved = false;
      for (Trouble trouble : troubles) {
        if (trouble.isOn(at) && isBetween(trouble, from, to)) {
          at = trouble.to();
          moved = true;
        }
      }
    }
    return at;
  }

  /** A cluster that is lost for good has stored what it wrote before, where that is replicated. */
  private static boolean isBetween(Trouble trouble, int from, int to) {
    int one = trouble.cluster();
    return switch (trouble.kind()) {
      case OUTAGE -> one == to || (one == from && trouble.to() < Trouble.NEVER);
      case CUT -> (one == from && trouble.meets(to)) || (one == to && trouble.meets(from));
      default -> false;
    };
  }
}
