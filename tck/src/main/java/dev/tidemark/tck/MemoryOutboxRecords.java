package dev.tidemark.tck;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The outgoing messages that a {@link ReferenceStore} has published: the reference of their
 * contracts, and a double for users' tests of a relay. Safe for use by many threads.
 */
public final class MemoryOutboxRecords implements OutboxRecords {
  private final ReferenceTable table;
  private final ReferenceWire wire;
  private final Names names;
  private final int shards;
  private final Clock clock;

  MemoryOutboxRecords(ReferenceTable table, ReferenceWire wire, Tracking tracking, Clock clock) {
    this.table = table;
    this.wire = wire;
    this.names = Names.flat(tracking);
    this.shards = tracking.outboxShards();
    this.clock = clock;
  }

  /**
   * The outgoing messages of a store.
   *
   * @param store publishes them
   * @return records of that store, by its clock
   */
  public static MemoryOutboxRecords of(ReferenceStore<?> store) {
    return store.outbox();
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public Look look(int shard, long from, long until, int most, long size) {
    List<CorruptRecordException> unreadable = new ArrayList<>();
    List<OutboxRecord> found =
        indexed(shard, due -> from <= due && due <= until, unreadable)
            .sorted(Comparator.comparingLong(OutboxRecord::due))
            .limit(most)
            .toList();
    int fits = 0;
    for (long taken = 0; fits < found.size() && taken < size; fits++) {
      taken += found.get(fits).size();
    }
    CorruptRecordException error = unreadable.isEmpty() ? null : unreadable.get(0);
    return new Look(found.subList(0, fits), unreadable.size(), 0, fits < found.size(), error);
  }

  @Override
  public List<OutboxRecord> parked(int shard, int most) {
    return indexed(-1L - shard, due -> true, new ArrayList<>()).limit(most).toList();
  }

  private Stream<OutboxRecord> indexed(
      long shard, LongPredicate due, List<CorruptRecordException> unreadable) {
    return table.keys().stream()
        .map(key -> new Row(key, table.read(key)))
        .filter(row -> row.shard() == shard && due.test(row.number(names.outboxDue())))
        .flatMap(row -> row.readable(unreadable));
  }

  @Override
  public Optional<OutboxRecord> read(Object key) {
    return Optional.ofNullable(new Row((EntityKey) key, table.read((EntityKey) key)).found());
  }

  @Override
  public List<Answer> write(List<OutboxChange> changes) {
    return changes.stream().map(this::write).toList();
  }

  private Answer write(OutboxChange change) {
    AtomicReference<@Nullable Answer> answer = new AtomicReference<>();
    ReferenceWire.Fate fate = wire.carry(() -> answer.set(made(change)));
    Answer told = answer.get();
    return fate == ReferenceWire.Fate.ANSWERED && told != null
        ? told
        : new Answer.Unsure(new IllegalStateException("the reply was lost, or memory is busy"));
  }

  private Answer made(OutboxChange change) {
    EntityKey key = (EntityKey) change.before().key();
    while (true) {
      Row row = new Row(key, table.read(key));
      OutboxRecord found = row.found();
      if (found == null || !isThere(change, found)) {
        return new Answer.Refused(found);
      }
      OutboxRecord after = found.after(change);
      if (table.replace(key, row.stored, row.with(after))) {
        return new Answer.Written(after.isEmpty());
      }
    }
  }

  /**
   * Whether all that a change takes is where it was, it empties nothing that has more now, and it
   * leaves the same message first.
   */
  private static boolean isThere(OutboxChange change, OutboxRecord found) {
    OutboxRecord before = change.before();
    OutboxRecord meant = before.after(change);
    OutboxRecord left = found.after(change);
    return (left.isEmpty() || !meant.isEmpty())
        && first(left).equals(first(meant))
        && hasAll(found.waiting(), before.waiting(), change.removed(), change.parked())
        && hasAll(found.parked(), before.parked(), change.removed(), change.released());
  }

  private static Optional<String> first(OutboxRecord record) {
    return record.waiting().stream().findFirst().map(OutboxMessage::id);
  }

  private static boolean hasAll(
      List<OutboxMessage> found, List<OutboxMessage> seen, Set<String> some, Set<String> others) {
    Set<String> there = found.stream().map(OutboxMessage::id).collect(Collectors.toSet());
    return seen.stream()
        .map(OutboxMessage::id)
        .filter(id -> some.contains(id) || others.contains(id))
        .allMatch(there::contains);
  }

  @Override
  public Clock clock() {
    return clock;
  }

  /** A stored record; null if there is none. */
  private final class Row {
    private final EntityKey key;
    private final @Nullable Map<String, Object> stored;

    Row(EntityKey key, @Nullable Map<String, Object> stored) {
      this.key = key;
      this.stored = stored;
    }

    private @Nullable Object value(String name) {
      return stored == null ? null : stored.get(name);
    }

    long number(String name) {
      return value(name) instanceof Number number ? number.longValue() : 0;
    }

    /** Its part of the index; one that no relay looks at where it is in none. */
    long shard() {
      return value(names.outboxShard()) instanceof Number number
          ? number.longValue()
          : Long.MIN_VALUE;
    }

    private List<?> list(String name) {
      return value(name) instanceof List<?> list ? list : List.of();
    }

    OutboxRecord record() {
      return new OutboxRecord(
          key,
          messages(names.outbox()),
          messages(names.outboxParked()),
          number(names.outboxTries()),
          number(names.outboxDue()),
          Outbox.shard(shard()));
    }

    /** The record; none if it cannot be read. */
    Stream<OutboxRecord> readable(List<CorruptRecordException> unreadable) {
      try {
        return Stream.of(record());
      } catch (CorruptRecordException e) {
        unreadable.add(e);
        return Stream.empty();
      }
    }

    /** The record; null if it keeps no messages. */
    @Nullable OutboxRecord found() {
      OutboxRecord record = record();
      return record.isEmpty() ? null : record;
    }

    private List<OutboxMessage> messages(String name) {
      return list(name).stream().map(this::message).toList();
    }

    private OutboxMessage message(Object one) {
      return new OutboxMessage(
          Outbox.message(one).id().orElseThrow(),
          Instant.ofEpochMilli(Outbox.storedAt(one)),
          Outbox.message(one),
          Outbox.origin(one));
    }

    /** What is stored after a change; null if nothing is. */
    @Nullable Map<String, Object> with(OutboxRecord after) {
      Map<String, Object> result = new LinkedHashMap<>(stored == null ? Map.of() : stored);
      if (after.isEmpty() && Boolean.TRUE.equals(result.get(names.outbox() + "#own"))) {
        return null;
      }
      result.keySet().removeAll(List.of(names.outboxTries(), names.outboxDue()));
      keep(result, names.outbox(), after.waiting());
      keep(result, names.outboxParked(), after.parked());
      if (after.isEmpty()) {
        result.remove(names.outboxShard());
        result.computeIfPresent(names.tombstone(), (name, until) -> expiry((Long) until));
        return result;
      }
      long shard = Outbox.shard(shard(), shards);
      result.put(names.outboxShard(), after.waiting().isEmpty() ? -1 - shard : shard);
      result.put(names.outboxDue(), after.due());
      if (after.tries() > 0) {
        result.put(names.outboxTries(), after.tries());
      }
      return result;
    }

    private static long expiry(long until) {
      return until >= Outbox.WAITING ? until - Outbox.WAITING : until;
    }

    /** Keeps messages as they are stored. */
    private void keep(Map<String, Object> result, String name, List<OutboxMessage> messages) {
      Map<String, Object> raw = new HashMap<>();
      Stream.of(names.outbox(), names.outboxParked())
          .flatMap(list -> list(list).stream())
          .forEach(one -> raw.put(message(one).id(), one));
      List<Object> kept = messages.stream().map(one -> raw.get(one.id())).toList();
      result.put(name, kept);
      if (kept.isEmpty()) {
        result.remove(name);
      }
    }
  }
}
