package dev.tidemark.execution;

import dev.tidemark.kernel.StoredFields;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.Guard;
import dev.tidemark.store.MapStore;
import dev.tidemark.store.StoredRecord;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records in a map, as executions. */
final class MapRecords extends MapStore {
  /** How a write reaches the store. */
  @FunctionalInterface
  interface Wire {
    /** Carries a request; the record is null where one is removed. */
    Answer<StoredRecord> carry(
        @Nullable String before,
        @Nullable ExecutionRecord record,
        Supplier<Answer<StoredRecord>> request);
  }

  /** What is stored; a change of it is one of the records. */
  final Map<String, ExecutionRecord> stored = new View();

  /** Carries what is written and removed. */
  Wire wire = (before, record, request) -> request.get();

  /** Records of their own, in 2026. */
  MapRecords() {
    carrier = this::carry;
  }

  /** Records that share what is stored, and the time, with others. */
  MapRecords(Map<String, StoredRecord> plain, long[] millis) {
    super(plain, millis);
    carrier = this::carry;
  }

  private Answer<StoredRecord> carry(
      ConditionalWrite write, Supplier<Answer<StoredRecord>> request) {
    String before =
        write.guard() instanceof Guard.Unchanged unchanged
                && unchanged.revision() instanceof String revision
            ? revision
            : null;
    Map<String, Object> fields = write.fields();
    return wire.carry(before, fields == null ? null : execution(fields), request);
  }

  private static ExecutionRecord execution(Map<String, Object> fields) {
    return ExecutionCodec.CODEC.record(new StoredFields("a record", fields));
  }

  /** A record as an execution. */
  static ExecutionRecord execution(StoredRecord record) {
    return execution(record.fields());
  }

  /** An execution as a store has it. */
  static StoredRecord plain(String key, ExecutionRecord record) {
    return new StoredRecord(key, ExecutionCodec.CODEC.fields(record));
  }

  private final class View extends AbstractMap<String, ExecutionRecord> {
    @Override
    public @Nullable ExecutionRecord put(String key, ExecutionRecord record) {
      StoredRecord before = plain.put(key, plain(key, record));
      return before == null ? null : execution(before);
    }

    @Override
    public Set<Map.Entry<String, ExecutionRecord>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Map.Entry<String, ExecutionRecord>> iterator() {
          return new Entries(plain.entrySet().iterator());
        }

        @Override
        public int size() {
          return plain.size();
        }
      };
    }
  }

  private record Entries(Iterator<Map.Entry<String, StoredRecord>> plain)
      implements Iterator<Map.Entry<String, ExecutionRecord>> {
    @Override
    public boolean hasNext() {
      return plain.hasNext();
    }

    @Override
    public Map.Entry<String, ExecutionRecord> next() {
      Map.Entry<String, StoredRecord> entry = plain.next();
      return new AbstractMap.SimpleEntry<>(entry.getKey(), execution(entry.getValue())) {
        private static final long serialVersionUID = 1L;

        @Override
        public ExecutionRecord setValue(ExecutionRecord record) {
          entry.setValue(MapRecords.plain(getKey(), record));
          return super.setValue(record);
        }
      };
    }

    @Override
    public void remove() {
      plain.remove();
    }
  }
}
