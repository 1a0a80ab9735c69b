package dev.tidemark.store;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records in a map, with a clock that stands still and a wire that a test may cut. */
public class MapStore implements RecordStore {
  /** How a write reaches the store. */
  @FunctionalInterface
  public interface Carrier {
    /** Carries a request. */
    Answer<StoredRecord> carry(ConditionalWrite write, Supplier<Answer<StoredRecord>> request);
  }

  public final Map<String, StoredRecord> plain;
  public final long[] millis;

  /** Carries what is written and removed. */
  public Carrier carrier = (write, request) -> request.get();

  /** What happens while the request of a read is on its way, and while its reply is. */
  public Runnable onTheWay = () -> {};

  public int requests;

  /** How often the index was asked for what is due. */
  public int looks;

  /** What happens while the index is asked. */
  public Runnable onLook = () -> {};

  /** Records of their own, in 2026. */
  public MapStore() {
    this(new TreeMap<>(), new long[] {Instant.parse("2026-01-01T00:00:00Z").toEpochMilli()});
  }

  /** Records that share what is stored, and the time, with others. */
  public MapStore(Map<String, StoredRecord> plain, long[] millis) {
    this.plain = plain;
    this.millis = millis;
  }

  /** Makes one that cannot be read of a record. */
  public void spoil(String key) {
    StoredRecord sound = Objects.requireNonNull(plain.get(key));
    Map<String, Object> fields = new LinkedHashMap<>(sound.fields());
    fields.put("owner", List.of("of no type that a record has"));
    plain.put(key, new StoredRecord(key, fields));
  }

  @Override
  public Answer<StoredRecord> write(ConditionalWrite write) {
    requests++;
    return carrier.carry(write, () -> carriedOut(write));
  }

  private Answer<StoredRecord> carriedOut(ConditionalWrite write) {
    StoredRecord found = plain.get(write.key());
    boolean holds =
        write.guard() instanceof Guard.Unchanged unchanged
            ? found != null && Objects.equals(found.revision(), unchanged.revision())
            : found == null;
    if (!holds) {
      return new Answer.Refused<>(found);
    }
    Map<String, Object> fields = write.fields();
    if (fields == null) {
      plain.remove(write.key());
    } else {
      plain.put(write.key(), new StoredRecord(write.key(), fields));
    }
    return new Answer.Written<>();
  }

  @Override
  public Optional<StoredRecord> read(String key) {
    requests++;
    onTheWay.run();
    Optional<StoredRecord> found = Optional.ofNullable(plain.get(key));
    onTheWay.run();
    return found;
  }

  @Override
  public List<String> due(String partition, long from, long before, int most) {
    looks++;
    onLook.run();
    return in(partition)
        .filter(record -> from <= leaseEnd(record) && leaseEnd(record) < before)
        .sorted(Comparator.comparingLong(MapStore::leaseEnd))
        .map(StoredRecord::key)
        .limit(most)
        .toList();
  }

  private Stream<StoredRecord> in(String partition) {
    return plain.values().stream()
        .filter(record -> partition.equals(record.fields().get(StoredRecord.PENDING)));
  }

  private static long leaseEnd(StoredRecord record) {
    return record.fields().get(StoredRecord.LEASE_END) instanceof Long end ? end : 0;
  }

  @Override
  public List<String> pending(String partition, String prefix, int most) {
    return in(partition)
        .map(StoredRecord::key)
        .filter(key -> key.startsWith(prefix))
        .limit(most)
        .toList();
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    return plain.keySet().stream()
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
