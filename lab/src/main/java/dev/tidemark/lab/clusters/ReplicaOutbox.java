package dev.tidemark.lab.clusters;

import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The outgoing messages that one cluster's replica has, with an index of those that wait. */
final class ReplicaOutbox implements OutboxRecords {
  private static final int SHARDS = 4;

  private final Replicas<OutboxRecord>.Replica replica;
  private final Clock clock;
  private final List<NavigableSet<Entry>> index = new ArrayList<>();

  /** A place in the index. */
  private record Entry(long due, String key) {}

  ReplicaOutbox(Replicas<OutboxRecord>.Replica replica, Clock clock) {
    this.replica = replica;
    this.clock = clock;
    for (int shard = 0; shard < SHARDS; shard++) {
      index.add(new TreeSet<>(Comparator.comparingLong(Entry::due).thenComparing(Entry::key)));
    }
    replica.index(this::changed);
  }

  private void changed(@Nullable OutboxRecord before, @Nullable OutboxRecord after) {
    if (before != null && !before.waiting().isEmpty()) {
      shard(before).remove(new Entry(before.due(), (String) before.key()));
    }
    if (after != null && !after.waiting().isEmpty()) {
      shard(after).add(new Entry(after.due(), (String) after.key()));
    }
  }

  private NavigableSet<Entry> shard(OutboxRecord record) {
    return index.get(Math.floorMod(record.key().hashCode(), SHARDS));
  }

  /** Stores one more message in an item, which need not be there. */
  void publish(String key, OutboxMessage message) {
    OutboxRecord found = replica.read(key);
    List<OutboxMessage> waiting = new ArrayList<>(found == null ? List.of() : found.waiting());
    long due = waiting.isEmpty() || found == null ? message.storedAt().toEpochMilli() : found.due();
    waiting.add(message);
    List<OutboxMessage> parked = found == null ? List.of() : found.parked();
    long tries = found == null ? 0 : found.tries();
    replica.write(
        key, new OutboxRecord(key, waiting, parked, tries, due), message.storedAt().toEpochMilli());
  }

  /** How many items have messages. */
  int pending() {
    return index.stream().mapToInt(NavigableSet::size).sum();
  }

  @Override
  public String name() {
    return "orders";
  }

  @Override
  public int shards() {
    return SHARDS;
  }

  @Override
  public Look look(int shard, long from, long until, int most, long size) {
    List<OutboxRecord> found = new ArrayList<>();
    for (Entry entry : index.get(shard).tailSet(new Entry(from, ""))) {
      if (entry.due() > until || found.size() >= most) {
        break;
      }
      read(entry.key()).ifPresent(found::add);
    }
    return Look.of(found);
  }

  @Override
  public List<OutboxRecord> parked(int shard, int most) {
    return List.of();
  }

  @Override
  public Optional<OutboxRecord> read(Object key) {
    return Optional.ofNullable(replica.read((String) key)).filter(record -> !record.isEmpty());
  }

  @Override
  public List<Answer> write(List<OutboxChange> changes) {
    return changes.stream().map(this::write).toList();
  }

  private Answer write(OutboxChange change) {
    String key = (String) change.before().key();
    OutboxRecord found = replica.read(key);
    if (found == null || !ids(found).containsAll(change.removed())) {
      return new Answer.Refused(found == null || found.isEmpty() ? null : found);
    }
    OutboxRecord after = found.after(change);
    replica.write(key, after.isEmpty() ? null : after, clock.millis());
    return new Answer.Written(after.isEmpty());
  }

  private static Set<String> ids(OutboxRecord record) {
    return record.waiting().stream().map(OutboxMessage::id).collect(Collectors.toSet());
  }

  @Override
  public Clock clock() {
    return clock;
  }
}
