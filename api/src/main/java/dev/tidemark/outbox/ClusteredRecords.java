package dev.tidemark.outbox;

import dev.tidemark.Tracking;
import dev.tidemark.store.RecordStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The records of one of several clusters on a store that is replicated between them later, where
 * the last writer of a record wins. A relay over them sends what its own cluster published, and
 * what another one published and does not send:
 *
 * <pre>{@code
 * Clusters clusters = Clusters.of("eu", Set.of("eu", "us", "ap"), Duration.ofMinutes(1));
 * OutboxRecords records = ClusteredRecords.of(stored, marks, clusters);
 * Relay relay = Relay.builder(records, sender).sharedBy(leases).build();
 * }</pre>
 *
 * <p>Writers name their cluster by {@link Tracking#cluster(String)}. A relay of the origin sends a
 * message at once. If the relay first sees a message half a delay or more after it was stored, the
 * message waits for half a delay, so that the notes of other clusters can arrive; the relay takes
 * the message off unsent if one of them has sent it. Other clusters follow in an order that is
 * derived from the message's ID. The first one sends the message once it has seen the message for
 * the maximum delay, each later one a delay after the one before, unless a cluster has noted that
 * it sent the message. So an outage yields one takeover, by one cluster.
 *
 * <p><b>No cluster writes what another one writes.</b> An entity is written in one cluster at a
 * time; messages are taken off, put off and parked by their origin alone. What this cluster sends
 * in place of another it notes in records of its own.
 *
 * <p><b>Promised.</b> While one cluster lives and the replication ends, each message that reached
 * it is sent, and messages of an entity are sent in their order. Copies are bounded:
 * docs/clusters.md has the formula and its proof.
 *
 * <p><b>Cost.</b> A message of this cluster costs nothing more while it is sent within half a
 * delay. A later one costs a read for each other cluster, and one that is taken over two; a
 * takeover a write. While messages of others fill a page, a pass makes up to five looks at each
 * shard in place of one. A relay that starts reads a record for each shard; where something has
 * waited for long, it writes that record, at once and then seldom, and in a look that reads many
 * marks in between.
 *
 * <p><b>No relay has to live for long.</b> What has waited for half a delay is noted among the
 * marks, with the time since when it was seen, so that a relay that starts anew goes on: a function
 * that drains at each call sends everything in the end. {@link RelayPass#heldBack} counts what
 * waits. Keep one instance for each relay. Safe for use by many threads.
 */
public final class ClusteredRecords implements OutboxRecords {
  private final OutboxRecords records;
  private final Clusters clusters;
  private final ClusterMarks marks;
  private final List<ClusterShard> shards;

  private ClusteredRecords(OutboxRecords records, RecordStore marks, Clusters clusters) {
    this.records = Objects.requireNonNull(records, "records");
    this.clusters = Objects.requireNonNull(clusters, "clusters");
    this.marks = new ClusterMarks(marks, records.name(), clusters);
    this.shards =
        IntStream.range(0, records.shards()).mapToObj(shard -> shard(shard, marks)).toList();
  }

  private ClusterShard shard(int number, RecordStore store) {
    Sightings sightings = new Sightings(store, records.name(), number, clusters);
    return new ClusterShard(number, records, marks, clusters, sightings);
  }

  /** Equal for equal records of this cluster. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClusteredRecords same
        && records.equals(same.records)
        && name().equals(same.name());
  }

  @Override
  public int hashCode() {
    return name().hashCode();
  }

  /**
   * Records of a cluster.
   *
   * @param records the table or collection, as it is stored in this cluster
   * @param marks where it is noted what was sent in place of others: replicated, too
   * @param clusters this cluster and the others
   * @return records for one relay of this cluster
   */
  public static ClusteredRecords of(OutboxRecords records, RecordStore marks, Clusters clusters) {
    return new ClusteredRecords(records, marks, clusters);
  }

  /**
   * The records as they are stored in this cluster, for a stream that gives a relay hints.
   *
   * @return those that this was made of
   */
  public OutboxRecords stored() {
    return records;
  }

  /**
   * The name of the stored records, and of this cluster: so leases of relays are not shared by
   * clusters.
   */
  @Override
  public String name() {
    return clusters.named(records);
  }

  @Override
  public int shards() {
    return records.shards();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Of each record it gives what this cluster may send now. A look from the beginning goes on
   * where the one before ended.
   */
  @Override
  public Look look(int shard, long from, long until, int most, long size) {
    ClusterShard looked = shards.get(shard);
    return from == Long.MIN_VALUE
        ? looked.due(until, most, size)
        : looked.ahead(from, until, most, size);
  }

  /** None: what is parked is listed in the stored records, and seen to by its origin. */
  @Override
  public List<OutboxRecord> parked(int shard, int most) {
    return List.of();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Gives what this cluster published just now; a look at the shard finds all else.
   */
  @Override
  public Optional<OutboxRecord> read(Object key) {
    return records.read(ClusterKey.raw(key)).flatMap(this::young);
  }

  @Override
  public Object bare(Object key) {
    return records.bare(ClusterKey.raw(key));
  }

  @Override
  public List<OutboxRecord> readAll(Collection<?> keys, long size) {
    List<Object> stored = keys.stream().map(ClusterKey::raw).toList();
    return records.readAll(stored, size).stream()
        .map(one -> young(one).orElseGet(() -> OutboxRecord.nothing(one.key())))
        .toList();
  }

  private Optional<OutboxRecord> young(OutboxRecord stored) {
    List<OutboxMessage> may = new ArrayList<>();
    for (OutboxMessage message : stored.waiting()) {
      if (clusters.isOwn(message.origin()) && clusters.isYoung(message, records.clock())) {
        may.add(message);
      } else if (message.message().isOrdered()) {
        break;
      }
    }
    return may.isEmpty() ? Optional.empty() : Optional.of(ClusterKey.shown(stored, may, null));
  }

  @Override
  public List<Answer> write(List<OutboxChange> changes) {
    List<OutboxChange> own = new ArrayList<>();
    for (OutboxChange change : changes) {
      if (key(change).isOwn()) {
        own.add(overStored(change));
      }
    }
    List<Answer> written = own.isEmpty() ? List.of() : records.write(own);
    Map<String, Integer> tookOver = new HashMap<>();
    List<Answer> answers = new ArrayList<>();
    int next = 0;
    for (OutboxChange change : changes) {
      answers.add(key(change).isOwn() ? ownAnswer(written.get(next++)) : note(change, tookOver));
    }
    changes.stream()
        .map(change -> key(change).takenOver())
        .filter(Objects::nonNull)
        .distinct()
        .forEach(Succession::saveTried);
    tookOver.forEach(
        (origin, count) -> clusters.tell(listener -> listener.tookOver(name(), origin, count)));
    return answers;
  }

  private static ClusterKey key(OutboxChange change) {
    return (ClusterKey) change.before().key();
  }

  private static OutboxChange overStored(OutboxChange change) {
    return new OutboxChange(
        key(change).stored(),
        change.removed(),
        change.parked(),
        change.released(),
        change.tries(),
        change.due());
  }

  private Answer ownAnswer(Answer answer) {
    if (!(answer instanceof Answer.Refused refused) || refused.found() == null) {
      return answer;
    }
    List<OutboxMessage> own = new ArrayList<>(refused.found().waiting());
    own.removeIf(message -> !clusters.isOwn(message.origin()));
    return new Answer.Refused(own.isEmpty() ? null : ClusterKey.shown(refused.found(), own, null));
  }

  /** Notes what this cluster has sent in place of others, and when to try the rest again. */
  private Answer note(OutboxChange change, Map<String, Integer> tookOver) {
    Succession succession = Objects.requireNonNull(key(change).takenOver());
    boolean isPutOff = change.due() > records.clock().millis();
    RuntimeException error = null;
    for (OutboxMessage message : change.before().waiting()) {
      if (change.removed().contains(message.id())) {
        RuntimeException unsure = marks.note(message.id());
        error = error == null ? unsure : error;
        if (unsure == null) {
          succession.sent(message.id());
          tookOver.merge(message.origin(), 1, Integer::sum);
        }
      } else if (isPutOff) {
        succession.failed(message.id());
      }
    }
    return error == null ? new Answer.Written(false) : new Answer.Unsure(error);
  }

  @Override
  public Clock clock() {
    return records.clock();
  }
}
