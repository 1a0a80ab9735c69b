package dev.tidemark.outbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * For how long this cluster has seen the messages of one shard, and from when on they are its to
 * send. Times are elapsed ones of this process; what an earlier relay has seen counts from then on,
 * by the clock of this cluster. No clock of another cluster is compared. For one thread.
 */
final class Succession {
  /** So many messages are remembered for a shard. Others wait until there is room. */
  private static final int MOST = 250_000;

  private final Clusters clusters;
  private final Clock clock;
  private final Sightings sightings;
  private final Map<String, Seen> seen = new HashMap<>();
  private long looked;
  private long cycle;
  private long begun;
  private long saved;
  private boolean hasSaved;

  Succession(Clusters clusters, Clock clock, Sightings sightings) {
    this.clusters = clusters;
    this.clock = clock;
    this.sightings = sightings;
    this.begun = clusters.nanos();
    this.looked = begun;
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
   * Notes that the shard is looked at. A relay that comes back after a long time without a look
   * knows what is stored, as one that begins anew: what others wrote meanwhile may not have
   * arrived.
   */
  void look() {
    long now = clusters.nanos();
    if (now - looked >= delay()) {
      begun = now;
      seen.clear();
      sightings.doubt();
    }
    looked = now;
    sightings.know();
  }

  private long delay() {
    return clusters.maximumDelay().toNanos();
  }

  /** Where the look of an earlier relay ended. */
  long next() {
    return sightings.next();
  }

  /** Notes where this look ended, for a relay that comes later. */
  void next(long next) {
    sightings.next(next);
  }

  /**
   * Stores what has waited for long, at once and then seldom.
   *
   * @param isLast whether nothing may follow, as at the end of a function
   */
  void save(boolean isLast) {
    long now = clusters.nanos();
    boolean isFirst = !hasSaved || (isLast && now - begun < delay() / 8);
    if (isFirst || now - saved >= delay() / 8) {
      saveNow();
    }
  }

  /** Stores what has waited for long. */
  void saveNow() {
    if (sightings.isChanged()) {
      hasSaved = true;
      saved = clusters.nanos();
      sightings.save();
    }
  }

  /** Forgets what is not there any more, once all was looked at. */
  void endCycle() {
    seen.values().removeIf(one -> one.cycle != cycle);
    cycle++;
    sightings.endCycle();
  }

  /** Notes that a message waits. */
  void note(OutboxMessage message) {
    Seen known = seen.get(message.id());
    if (known == null && seen.size() < MOST) {
      known = first(message);
      seen.put(message.id(), known);
    }
    if (known != null) {
      known.cycle = cycle;
    }
    sightings.note(message);
  }

  /** What is known of a message, although it may not be kept in mind. */
  private Seen known(OutboxMessage message) {
    Seen known = seen.get(message.id());
    return known == null ? first(message) : known;
  }

  private Seen first(OutboxMessage message) {
    Long since = isByLook(message) ? sightings.sinceLook(message) : sightings.since(message);
    long passed = since == null ? 0 : Math.max(0, clock.millis() - since);
    return new Seen(clusters.nanos() - passed * 1_000_000, wait(message));
  }

  /** Whether a message of this cluster was there since it was stored. */
  private boolean isByLook(OutboxMessage message) {
    return clusters.isOwn(message.origin()) && message.storedAt().toEpochMilli() <= clock.millis();
  }

  boolean isYoung(OutboxMessage message) {
    return clusters.isYoung(message, clock);
  }

  /** Whether a message has waited for so long that others may have sent it, or may have to. */
  boolean isOld(OutboxMessage message) {
    return !isYoung(message) || clusters.nanos() - known(message).since >= delay() / 2;
  }

  /** Whether a relay that comes later knows that a message waits, or cannot come to know it. */
  boolean isRemembered(OutboxMessage message) {
    return isByLook(message) || sightings.since(message) != null || !sightings.hasRoom();
  }

  /** Keeps for later relays that a message waits. */
  void remember(OutboxMessage message) {
    if (isByLook(message)) {
      sightings.look(clock.millis(), clusters.maximumDelay().toMillis());
    } else if (sightings.since(message) == null) {
      long passed = (clusters.nanos() - known(message).since) / 1_000_000;
      sightings.add(message, clock.millis() - passed);
    }
  }

  /**
   * How long it has to be seen: half a delay where it is this cluster's own, since what others have
   * noted meanwhile has to arrive; else a delay for each cluster whose turn comes before, or as
   * many as can be counted with.
   */
  private long wait(OutboxMessage message) {
    long most = Long.MAX_VALUE / 2 / delay(); // so that it can be added to a time
    return clusters.isOwn(message.origin()) ? delay() / 2 : delay() * Math.min(rank(message), most);
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

  /** What orders clusters for a message, and stands for a message without one. */
  static byte[] place(String message, String cluster) {
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
    Seen known = known(message);
    long now = clusters.nanos();
    return now - known.since >= known.wait && now - known.notBefore >= 0;
  }

  /**
   * When a message that cannot go now has to be looked at again, in elapsed nanoseconds: where it
   * is held back by another one, an eighth of a delay from now.
   */
  long turn(OutboxMessage message) {
    long now = clusters.nanos();
    Seen known = known(message);
    long turn = Math.max(known.since + known.wait, known.notBefore);
    return turn > now ? turn : now + delay() / 8;
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
    sightings.forget(message);
  }

  /** Notes that this cluster could not send it in place of its origin. */
  void failed(String message) {
    Seen known = seen.get(message);
    if (known != null) {
      known.failures = Math.min(known.failures + 1, 30);
      long pause = Math.min(delay(), 1_000_000_000L << (known.failures - 1));
      known.notBefore = clusters.nanos() + pause;
    }
    sightings.tried(message);
  }

  /** Stores which messages could not be sent, where others need their room. */
  void saveTried() {
    try {
      sightings.saveTried();
    } catch (RuntimeException e) { // a relay that goes on knows it all the same
      sightings.doubt();
    }
  }
}
