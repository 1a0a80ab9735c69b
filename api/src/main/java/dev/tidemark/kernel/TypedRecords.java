package dev.tidemark.kernel;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records of one kind in a store. Safe for use by many threads.
 *
 * @param <V> a record of that kind
 */
public final class TypedRecords<V> {
  private final RecordStore store;
  private final RecordCodec<V> codec;

  /**
   * Records of a kind.
   *
   * @param store where they are
   * @param codec what their fields mean
   */
  public TypedRecords(RecordStore store, RecordCodec<V> codec) {
    this.store = store;
    this.codec = codec;
  }

  /**
   * Writes a record under a condition, in one request.
   *
   * @param key the record's key
   * @param before the revision that must be there; null if no record may be there
   * @param record what to store
   * @return what came of it
   */
  public Answer<V> write(String key, @Nullable String before, V record) {
    var fields = codec.fields(record);
    return typed(
        store.write(
            before == null
                ? ConditionalWrite.create(key, fields)
                : ConditionalWrite.replace(key, before, fields)));
  }

  /**
   * Removes a record under a condition, in one request.
   *
   * @param key the record's key
   * @param before the revision that must be there
   * @return what came of it
   */
  public Answer<V> remove(String key, String before) {
    return typed(store.write(ConditionalWrite.remove(key, before)));
  }

  /**
   * Removes a record that cannot be read, or that has no revision by which {@link #remove} can take
   * it, by a read and a write. What somebody writes after it was looked at stays: the write has the
   * condition that what stands in the revision's place, of whatever type, is as it was.
   *
   * @param key the record's key
   * @return what came of it; refused where nothing is there, or what can be read
   */
  public Answer<V> removeUnreadable(String key) {
    StoredRecord found = store.read(key).orElse(null);
    if (found == null) {
      return new Answer.Refused<>(null);
    }
    try {
      V record = record(found);
      if (!codec.revision(record).isEmpty()) {
        return new Answer.Refused<>(record);
      }
    } catch (CorruptRecordException e) {
      // as was to be expected
    }
    return typed(store.write(ConditionalWrite.remove(key, found.revision())));
  }

  /**
   * Reads a record, consistently.
   *
   * @param key the record's key
   * @return empty if there is none
   * @throws CorruptRecordException if what is there cannot be read
   */
  public Optional<V> read(String key) {
    return store.read(key).map(this::record);
  }

  private V record(StoredRecord stored) {
    return codec.record(new StoredFields(codec.what(), stored.fields()));
  }

  private Answer<V> typed(Answer<StoredRecord> answer) {
    if (answer instanceof Answer.Refused<StoredRecord> refused) {
      StoredRecord found = refused.found();
      return new Answer.Refused<>(found == null ? null : record(found));
    }
    if (answer instanceof Answer.Busy<StoredRecord> busy) {
      return new Answer.Busy<>(busy.error());
    }
    return answer instanceof Answer.Lost<StoredRecord> lost
        ? new Answer.Lost<>(lost.error(), lost.late())
        : new Answer.Written<>();
  }

  /**
   * Looks for records whose order has come, as {@link RecordStore#due} does.
   *
   * @param partition of the index
   * @param from their order is as high at least
   * @param before their order is lower
   * @param most how many to give
   * @return their keys
   * @throws IllegalArgumentException if that is less than 1
   */
  public List<String> due(String partition, long from, long before, int most) {
    return store.due(partition, from, before, Most.some(most));
  }

  /**
   * Looks for records by their keys, as {@link RecordStore#pending} does.
   *
   * @param partition of the index
   * @param prefix what their keys start with
   * @param most how many to give
   * @return their keys
   * @throws IllegalArgumentException if that is less than 1
   */
  public List<String> pending(String partition, String prefix, int most) {
    return store.pending(partition, prefix, Most.some(most));
  }

  /**
   * Lists what is stored, as {@link RecordStore#list} does.
   *
   * @param prefix what the keys start with
   * @param after the key that the list goes on behind; null for the first
   * @param most how many to give
   * @return their keys
   * @throws IllegalArgumentException if that is less than 1
   */
  public List<String> list(String prefix, @Nullable String after, int most) {
    return store.list(prefix, after, Most.some(most));
  }

  /**
   * The clock that leases and expiry are told by.
   *
   * @return the store's clock
   */
  public Clock clock() {
    return store.clock();
  }

  /**
   * How large a record may be.
   *
   * @return in bytes of UTF-8 of its values
   */
  public int mostBytes() {
    return store.mostBytes();
  }

  /** What the records are called, for the texts of faults. */
  String what() {
    return codec.what();
  }

  /** What guards a record. */
  String revision(V record) {
    return codec.revision(record);
  }
}
