package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.ExecutionRecord.State;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records in a map, with a clock that stands still and a wire that a test may cut. */
public final class MapRecords implements ExecutionRecords {
  /** How a write reaches the store. */
  @FunctionalInterface
  public interface Wire {
    /** Carries a request; the record is null where one is removed. */
    Answer carry(
        @Nullable String before, @Nullable ExecutionRecord record, Supplier<Answer> request);
  }

  final Map<String, ExecutionRecord> stored;
  final long[] millis;

  /** Carries what is written and removed. */
  public Wire wire = (before, record, request) -> request.get();

  /** What happens while the request of a read is on its way, and while its reply is. */
  public Runnable onTheWay = () -> {};

  /** Keys of what cannot be read. */
  final Set<String> unreadable = new HashSet<>();

  int requests;

  /** Records of their own, in 2026. */
  public MapRecords() {
    this(new TreeMap<>(), new long[] {Instant.parse("2026-01-01T00:00:00Z").toEpochMilli()});
  }

  /** Records that share what is stored, and the time, with others. */
  public MapRecords(Map<String, ExecutionRecord> stored, long[] millis) {
    this.stored = stored;
    this.millis = millis;
  }

  @Override
  public Answer write(String key, @Nullable String before, ExecutionRecord record) {
    requests++;
    return wire.carry(before, record, () -> replace(key, before, record));
  }

  private Answer replace(String key, @Nullable String before, ExecutionRecord record) {
    ExecutionRecord found = found(key);
    String there = found == null ? null : found.revision();
    if (there == null ? before != null : !there.equals(before)) {
      return new Answer.Refused(found);
    }
    stored.put(key, copy(record));
    return new Answer.Written();
  }

  /** Another object, as a store would give it. */
  private static ExecutionRecord copy(ExecutionRecord r) {
    return new ExecutionRecord(
        r.revision(),
        r.state(),
        r.owner(),
        r.fence(),
        r.leaseMillis(),
        r.leaseEnd(),
        r.expires(),
        r.fingerprint(),
        r.flow(),
        r.request(),
        r.points(),
        r.result());
  }

  @Override
  public Optional<ExecutionRecord> read(String key) {
    requests++;
    onTheWay.run();
    Optional<ExecutionRecord> found = Optional.ofNullable(found(key));
    onTheWay.run();
    return found;
  }

  private @Nullable ExecutionRecord found(String key) {
    if (unreadable.contains(key)) {
      throw new CorruptRecordException("unreadable", null, null);
    }
    return stored.get(key);
  }

  @Override
  public Answer remove(String key, String before) {
    requests++;
    return wire.carry(before, null, () -> take(key, before));
  }

  @Override
  public Answer removeUnreadable(String key) {
    requests++;
    return wire.carry(
        null,
        null,
        () -> {
          if (!unreadable.remove(key)) {
            return new Answer.Refused(stored.get(key));
          }
          stored.remove(key);
          return new Answer.Written();
        });
  }

  private Answer take(String key, String before) {
    ExecutionRecord found = found(key);
    if (found == null || !found.revision().equals(before)) {
      return new Answer.Refused(found);
    }
    stored.remove(key);
    return new Answer.Written();
  }

  @Override
  public List<String> stale(String flow, long now, int most) {
    return stored.entrySet().stream()
        .filter(entry -> entry.getValue().isOpen() && entry.getValue().flow().equals(flow))
        .filter(entry -> entry.getValue().leaseEnd() < now)
        .sorted(Comparator.comparingLong(entry -> entry.getValue().leaseEnd()))
        .map(Map.Entry::getKey)
        .limit(most)
        .toList();
  }

  @Override
  public List<String> parked(String prefix, int most) {
    return list(prefix, null, Integer.MAX_VALUE).stream()
        .filter(key -> Objects.requireNonNull(stored.get(key)).state() == State.PARKED)
        .limit(most)
        .toList();
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    return stored.keySet().stream()
        .filter(key -> key.startsWith(prefix) && (after == null || key.compareTo(after) > 0))
        .limit(most)
        .toList();
  }

  @Override
  public Clock clock() {
    return Clock.fixed(Instant.ofEpochMilli(millis[0]), ZoneOffset.UTC);
  }

  @Override
  public int mostBytes() {
    return 10_000;
  }
}
