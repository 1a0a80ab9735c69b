package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Source;
import dev.tidemark.Tracking;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The reference store as a configuration: all contracts hold on it, or name what memory lacks. */
public final class ReferenceBackend implements Backend {
  private final ReferenceTable table = new ReferenceTable();
  private final ReferenceFaults faults = new ReferenceFaults();
  private final ReferenceWire wire;
  private final Map<String, StoredRecord> records = new TreeMap<>();
  private final ReferenceTransactions.Memory memory = new ReferenceTransactions.Memory();

  /** An empty backend. */
  public ReferenceBackend() {
    this.wire = faults;
  }

  /**
   * An empty backend whose stores write over a test's own wire.
   *
   * @param wire carries the writes, in place of {@link #faults}
   */
  public ReferenceBackend(ReferenceWire wire) {
    this.wire = wire;
  }

  /** Opens the reference. */
  public static final class Factory implements BackendFactory {
    /** A factory. */
    public Factory() {}

    @Override
    public Backend open() {
      return new ReferenceBackend();
    }
  }

  @Override
  public String name() {
    return "In-memory reference";
  }

  @Override
  public Map<Capability, String> missing() {
    return Map.of(
        Capability.REQUEST_COUNTS, "memory is written to without requests",
        Capability.NATIVE_JSON, "records in memory have no notation of their own");
  }

  @Override
  public EntityStore<View> views(Tracking tracking, Clock clock) {
    return store(false, tracking, clock, null);
  }

  @Override
  public EntityStore<View> views(Tracking tracking, Clock clock, MarkCache cache) {
    return store(false, tracking, clock, cache);
  }

  @Override
  public EntityStore<View> compositeViews(Tracking tracking, Clock clock) {
    return store(true, tracking, clock, null);
  }

  private EntityStore<View> store(
      boolean composite, Tracking tracking, Clock clock, @Nullable MarkCache cache) {
    return new ReferenceStore<>(table, wire, new ViewMapper(composite), tracking, clock, cache);
  }

  @Override
  public EntityUpdate counting(EntityUpdate.Rules rules, @Nullable String status) {
    Change change = Change.change().add("total", 1);
    change = status == null ? change : change.onlyIf(Condition.attribute("status").is(status));
    change = rules.creates() ? change.createIfMissing() : change;
    change = rules.revives() ? change.recreate() : change;
    change = rules.skipsOtherwise() ? change.otherwiseSkip() : change;
    change = rules.returns() ? change.returning() : change;
    for (Source source : rules.retired()) {
      change = change.retire(source);
    }
    for (OutgoingMessage message : rules.published()) {
      change = change.publish(message);
    }
    return change;
  }

  @Override
  public RecordStore recordStore(Clock clock) {
    return new MemoryRecordStore(clock, records, wire);
  }

  @Override
  public OutboxRecords outboxRecords(Clock clock) {
    return new MemoryOutboxRecords(table, wire, Tracking.defaults(), clock);
  }

  @Override
  public Transactions transactions(Clock clock) {
    return new ReferenceTransactions(table, wire, memory, clock);
  }

  @Override
  public Optional<Map<String, Object>> raw(EntityKey key) {
    return Optional.ofNullable(table.read(key)).map(LinkedHashMap::new);
  }

  @Override
  public void putRaw(EntityKey key, Map<String, Object> record) {
    table.put(key, Neutral.record(record));
  }

  @Override
  public void putNull(EntityKey key, Set<String> marks) {
    Map<String, Object> record = raw(key).orElseThrow();
    record.keySet().removeAll(marks);
    putRaw(key, record);
  }

  @Override
  public void putJson(String json) {
    throw new UnsupportedOperationException(missing().get(Capability.NATIVE_JSON));
  }

  @Override
  public void putRecordJson(String json) {
    putJson(json);
  }

  @Override
  public Optional<String> recordBeside(String json) {
    throw new UnsupportedOperationException(missing().get(Capability.NATIVE_JSON));
  }

  @Override
  public String format() {
    return "reference";
  }

  @Override
  public Cost measure(Runnable action) {
    action.run();
    return new Cost(0, 0, Double.NaN);
  }

  @Override
  public Faults faults() {
    return faults;
  }

  @Override
  public void close() {}
}
