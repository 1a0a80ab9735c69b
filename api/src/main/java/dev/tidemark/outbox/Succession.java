package dev.tidemark.outbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * For how long this cluster has seen the messages of one shard, and from when on they are its to
 * send. Times are elapsed ones of this process, so no clock of another machine is compared. For one
 * thread.
 */
final class Succession {
  /** So many messages are remembered for a shard. Others wait until there is room. */
  private static final int MOST = 250_000;

  private final Clusters clusters;
  private final Map<String, Seen> seen = new HashMap<>();
  private long looked;
  private long cycle;

  Succession(Clusters clusters) {
    this.clusters = clusters;
    this.looked = clusters.nanos();
  }

  /** What is known of a message. */
  private static final class Seen {
    private final long since;
    private final long wait;
    private long cycle;
    private int failures;
    private long notBefore;

    /** Whether somebody other than its origin has sent it. */
    private boolean isSent;

    Seen(long since, long wait) {
      this.since = since;
      this.wait = wait;
      this.notBefore = since;
    }
  }

  /**
   * Notes that the shard is looked at. What was seen before a long time without a look says nothing
   * any more: what others wrote meanwhile may not have arrived.
   */
  void look() {
    long now = clusters.nanos();
    if (now - looked >= clusters.maximumDelay().toNanos()) {
      seen.clear();
    }
    looked = now;
  }

  /** Forgets what is not there any more, once all was looked at. */
  void endCycle() {
    seen.values().removeIf(one -> one.cycle != cycle);
    cycle++;
  }

  /** Notes that a message waits. */
  void note(OutboxMessage message) {
    Seen known = seen.get(message.id());
    if (known == null && seen.size() < MOST) {
      known = new Seen(clusters.nanos(), wait(message));
      seen.put(message.id(), known);
    }
    if (known != null) {
      known.cycle = cycle;
    }
  }

  /**
   * How long it has to be seen: half a delay where it is this cluster's own, since what others have
   * noted meanwhile has to arrive; else a delay for each cluster whose turn comes before.
   */
  private long wait(OutboxMessage message) {
    long delay = clusters.maximumDelay().toNanos();
    return clusters.isOwn(message.origin()) ? delay / 2 : delay * rank(message);
  }

  /** The place of this cluster among those that follow the origin, 1 for the first. */
  private int rank(OutboxMessage message) {
    byte[] mine = place(message.id(), clusters.id());
    int rank = 1;
    for (String cluster : clusters.all()) {
      boolean follows = !cluster.equals(message.origin()) && !cluster.equals(clusters.id());
      if (follows && Arrays.compareUnsigned(place(message.id(), cluster), mine) < 0) {
        rank++;
      }
    }
    return rank;
  }

  private static byte[] place(String message, String cluster) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(message.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0xFF); // which no text has
      return digest.digest(cluster.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) { // which every Java has
      throw new AssertionError(e);
    }
  }

  /** Whether it was seen for long enough, so that it is this cluster's to send if nobody has. */
  boolean isDue(OutboxMessage message) {
    Seen known = seen.get(message.id());
    long now = clusters.nanos();
    return known != null && now - known.since >= known.wait && now - known.notBefore >= 0;
  }

  /**
   * When a message that cannot go now has to be looked at again, in elapsed nanoseconds: where it
   * is held back by another one, an eighth of a delay from now.
   */
  long turn(OutboxMessage message) {
    long now = clusters.nanos();
    Seen known = seen.get(message.id());
    long turn = known == null ? now : Math.max(known.since + known.wait, known.notBefore);
    return turn > now ? turn : now + clusters.maximumDelay().toNanos() / 8;
  }

  boolean isSent(OutboxMessage message) {
    Seen known = seen.get(message.id());
    return known != null && known.isSent;
  }

  /** Notes that a cluster other than the origin has sent it. */
  void sent(String message) {
    Seen known = seen.get(message);
    if (known != null) {
      known.isSent = true;
    }
  }

  /** Notes that this cluster could not send it in place of its origin. */
  void failed(String message) {
    Seen known = seen.get(message);
    if (known != null) {
      long most = clusters.maximumDelay().toNanos();
      known.failures = Math.min(known.failures + 1, 30);
      long pause = Math.min(most, 1_000_000_000L << (known.failures - 1));
      known.notBefore = clusters.nanos() + pause;
    }
  }
}
