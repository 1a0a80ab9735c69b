package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.store.Answer;
import dev.tidemark.store.MapStore;
import dev.tidemark.store.StoredRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Records of one kind")
final class TypedRecordsTest {
  private static final String KEY = "k";

  private final MapStore store = new MapStore();
  private final TypedRecords<Named> records = new TypedRecords<>(store, new NamedCodec());

  /** A record of a kind. */
  private record Named(String revision, String owner) {}

  private static final class NamedCodec implements RecordCodec<Named> {
    @Override
    public String what() {
      return "a record";
    }

    @Override
    public Map<String, Object> fields(Named record) {
      return Map.of(StoredRecord.REVISION, record.revision, "owner", record.owner);
    }

    @Override
    public Named record(StoredFields fields) {
      return new Named(fields.text(StoredRecord.REVISION), fields.text("owner"));
    }

    @Override
    public String revision(Named record) {
      return record.revision;
    }
  }

  @Test
  @DisplayName("are written and removed under what is there, and told as what they are")
  void typed() {
    Named first = new Named("r1", "a");
    Named second = new Named("r2", "b");
    assertEquals(new Answer.Refused<>(null), records.write(KEY, "r1", second));
    assertEquals(new Answer.Written<>(), records.write(KEY, null, first));
    assertEquals(new Answer.Refused<>(first), records.write(KEY, null, second));
    assertEquals(new Answer.Written<>(), records.write(KEY, "r1", second));
    assertEquals(Optional.of(second), records.read(KEY));
    assertEquals(new Answer.Refused<>(second), records.remove(KEY, "r1"));
    assertEquals(new Answer.Written<>(), records.remove(KEY, "r2"));
    assertEquals(Optional.empty(), records.read(KEY));
    RuntimeException error = new IllegalStateException();
    store.carrier = (write, request) -> new Answer.Lost<>(error, true);
    assertEquals(new Answer.Lost<>(error, true), records.write(KEY, null, first));
    store.carrier = (write, request) -> new Answer.Busy<>(error);
    assertEquals(new Answer.Busy<>(error), records.remove(KEY, "r2"));
  }

  @Test
  @DisplayName("that cannot be read are removed as they are, and others are not")
  void unreadable() {
    assertEquals(new Answer.Refused<>(null), records.removeUnreadable(KEY));
    Named sound = new Named("r1", "a");
    records.write(KEY, null, sound);
    assertEquals(new Answer.Refused<>(sound), records.removeUnreadable(KEY));
    store.spoil(KEY);
    assertThrows(CorruptRecordException.class, () -> records.read(KEY));
    assertEquals(new Answer.Written<>(), records.removeUnreadable(KEY));
    Object foreign = List.of("r1");
    for (Map<String, Object> unguarded :
        List.<Map<String, Object>>of(
            Map.of("owner", "a"),
            Map.of("owner", "a", StoredRecord.REVISION, ""),
            Map.<String, Object>of("owner", "a", StoredRecord.REVISION, foreign))) {
      store.plain.put(KEY, new StoredRecord(KEY, unguarded));
      assertEquals(new Answer.Written<>(), records.removeUnreadable(KEY), unguarded::toString);
      assertEquals(Map.of(), store.plain);
    }
  }

  @Test
  @DisplayName("that somebody has written since they could not be read stay")
  void written() {
    Named sound = new Named("r2", "b");
    for (Map<String, Object> unreadable :
        List.<Map<String, Object>>of(
            Map.of("owner", 7L),
            Map.<String, Object>of("owner", 7L, StoredRecord.REVISION, "r1"))) {
      store.plain.put(KEY, new StoredRecord(KEY, unreadable));
      store.carrier =
          (write, request) -> {
            store.plain.put(KEY, new StoredRecord(KEY, new NamedCodec().fields(sound)));
            return request.get();
          };
      assertEquals(new Answer.Refused<>(sound), records.removeUnreadable(KEY));
    }
  }
}
