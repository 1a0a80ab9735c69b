package dev.tidemark.tck;

import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecords;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records of executions in memory: the reference of their contracts, and a double for tests. */
public final class MemoryExecutionRecords implements ExecutionRecords {
  private static final int MOST_BYTES = 100_000;

  private final Clock clock;
  private final Map<String, ExecutionRecord> records;
  private final ReferenceWire wire;

  /**
   * Records of their own.
   *
   * @param clock tells leases and expiry
   */
  public MemoryExecutionRecords(Clock clock) {
    this(clock, new TreeMap<>(), ReferenceWire.SOUND);
  }

  /**
   * Records that others share.
   *
   * @param clock tells leases and expiry
   * @param records what is stored, by key; guarded by itself
   * @param wire carries the writes
   */
  MemoryExecutionRecords(Clock clock, Map<String, ExecutionRecord> records, ReferenceWire wire) {
    this.clock = clock;
    this.records = records;
    this.wire = wire;
  }

  @Override
  public Answer write(String key, @Nullable String before, ExecutionRecord record) {
    return carried(() -> replace(key, before, record));
  }

  private Answer carried(Supplier<Answer> write) {
    AtomicReference<Answer> answer = new AtomicReference<>();
    return switch (wire.carry(() -> answer.set(write.get()))) {
      case ANSWERED -> answer.get();
      case LOST -> new Answer.Lost(new IllegalStateException("the reply was lost"));
      case BUSY -> new Answer.Busy(new IllegalStateException("memory is throttled"));
    };
  }

  private Answer replace(String key, @Nullable String before, ExecutionRecord record) {
    synchronized (records) {
      ExecutionRecord found = records.get(key);
      if (!holds(before, found)) {
        return new Answer.Refused(found);
      }
      records.put(key, record);
      return new Answer.Written();
    }
  }

  @Override
  public Answer remove(String key, String before) {
    return carried(() -> take(key, before));
  }

  private Answer take(String key, String before) {
    synchronized (records) {
      ExecutionRecord found = records.get(key);
      if (!holds(before, found)) {
        return new Answer.Refused(found);
      }
      records.remove(key);
      return new Answer.Written();
    }
  }

  private static boolean holds(@Nullable String before, @Nullable ExecutionRecord found) {
    return found == null ? before == null : found.revision().equals(before);
  }

  @Override
  public Optional<ExecutionRecord> read(String key) {
    synchronized (records) {
      return Optional.ofNullable(records.get(key));
    }
  }

  @Override
  public List<String> stale(String flow, long now, int most) {
    synchronized (records) {
      return records.entrySet().stream()
          .filter(entry -> isStale(entry.getValue(), flow, now))
          .sorted(Comparator.comparingLong(entry -> entry.getValue().leaseEnd()))
          .map(Map.Entry::getKey)
          .limit(most)
          .toList();
    }
  }

  private static boolean isStale(ExecutionRecord record, String flow, long now) {
    return record.isOpen() && record.flow().equals(flow) && record.leaseEnd() < now;
  }

  @Override
  public List<String> parked(String prefix, int most) {
    synchronized (records) {
      return records.entrySet().stream()
          .filter(entry -> entry.getValue().state() == ExecutionRecord.State.PARKED)
          .map(Map.Entry::getKey)
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
