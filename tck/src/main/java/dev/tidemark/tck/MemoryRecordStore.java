package dev.tidemark.tck;

import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.Guard;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plain records in memory: the reference of their contract, and a double for tests. */
public final class MemoryRecordStore implements RecordStore {
  private static final int MOST_BYTES = 100_000;

  private final Clock clock;
  private final Map<String, StoredRecord> records;
  private final ReferenceWire wire;

  /**
   * Records of their own.
   *
   * @param clock tells leases and expiry
   */
  public MemoryRecordStore(Clock clock) {
    this(clock, new TreeMap<>(), ReferenceWire.SOUND);
  }

  /**
   * Records that others share.
   *
   * @param clock tells leases and expiry
   * @param records what is stored, by key; guarded by itself
   * @param wire carries the writes
   */
  MemoryRecordStore(Clock clock, Map<String, StoredRecord> records, ReferenceWire wire) {
    this.clock = clock;
    this.records = records;
    this.wire = wire;
  }

  @Override
  public Answer<StoredRecord> write(ConditionalWrite write) {
    AtomicReference<Answer<StoredRecord>> answer = new AtomicReference<>();
    return switch (wire.carry(() -> answer.set(carriedOut(write)))) {
      case ANSWERED -> answer.get();
      case LOST -> new Answer.Lost<>(new IllegalStateException("the reply was lost"));
      case BUSY -> new Answer.Busy<>(new IllegalStateException("memory is throttled"));
    };
  }

  private Answer<StoredRecord> carriedOut(ConditionalWrite write) {
    synchronized (records) {
      StoredRecord found = records.get(write.key());
      if (!holds(write.guard(), found)) {
        return new Answer.Refused<>(found);
      }
      if (write.fields() == null) {
        records.remove(write.key());
      } else {
        records.put(write.key(), new StoredRecord(write.key(), write.fields()));
      }
      return new Answer.Written<>();
    }
  }

  private static boolean holds(Guard guard, @Nullable StoredRecord found) {
    return guard instanceof Guard.Unchanged unchanged
        ? found != null && Objects.equals(found.revision(), unchanged.revision())
        : found == null;
  }

  @Override
  public Optional<StoredRecord> read(String key) {
    synchronized (records) {
      return Optional.ofNullable(records.get(key));
    }
  }

  @Override
  public List<String> due(String partition, long from, long before, int most) {
    synchronized (records) {
      return in(partition)
          .filter(record -> from <= leaseEnd(record) && leaseEnd(record) < before)
          .sorted(Comparator.comparingLong(MemoryRecordStore::leaseEnd))
          .map(StoredRecord::key)
          .limit(most)
          .toList();
    }
  }

  private Stream<StoredRecord> in(String partition) {
    return records.values().stream()
        .filter(record -> partition.equals(record.fields().get(StoredRecord.PENDING)));
  }

  /** Where the index has a record; one without a number there it does not have. */
  private static long leaseEnd(StoredRecord record) {
    return record.fields().get(StoredRecord.LEASE_END) instanceof Long end ? end : Long.MAX_VALUE;
  }

  @Override
  public List<String> pending(String partition, String prefix, int most) {
    synchronized (records) {
      return in(partition)
          .map(StoredRecord::key)
          .filter(key -> key.startsWith(prefix))
          .limit(most)
          .toList();
    }
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    synchronized (records) {
      return records.keySet().stream()
          .filter(key -> key.startsWith(prefix))
          .filter(key -> after == null || key.compareTo(after) > 0)
          .limit(most)
          .toList();
    }
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }
}
