package dev.tidemark.tck;

import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecords;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records of executions in memory: the reference of their contracts, and a double for tests. */
public final class MemoryExecutionRecords implements ExecutionRecords {
  private static final int MOST_BYTES = 100_000;

  private final Clock clock;
  private final Map<String, ExecutionRecord> records;

  /**
   * Records of their own.
   *
   * @param clock tells leases and expiry
   */
  public MemoryExecutionRecords(Clock clock) {
    this(clock, new TreeMap<>());
  }

  /**
   * Records that others share.
   *
   * @param clock tells leases and expiry
   * @param records what is stored, by key; guarded by itself
   */
  public MemoryExecutionRecords(Clock clock, Map<String, ExecutionRecord> records) {
    this.clock = clock;
    this.records = records;
  }

  @Override
  public Answer write(String key, @Nullable String before, ExecutionRecord record) {
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
  public Clock clock() {
    return clock;
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }
}
