package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.kernel.RecordWrites;
import dev.tidemark.kernel.TypedRecords;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The record of one key and its parts, as one call writes them: each write is asked until the store
 * has answered.
 */
final class Ledger {
  private final TypedRecords<ExecutionRecord> records;
  private final RecordWrites<ExecutionRecord> writes;
  private final String key;
  private final Parts parts;

  /**
   * For one call.
   *
   * @param most how many bytes of UTF-8 a value may take
   */
  Ledger(TypedRecords<ExecutionRecord> records, Pauses pauses, String key, int most) {
    this.records = records;
    this.writes = new RecordWrites<>(records, pauses::pause);
    this.key = key;
    this.parts = new Parts(writes, records, key, most);
  }

  String key() {
    return key;
  }

  Parts parts() {
    return parts;
  }

  /**
   * Writes a record in place of another one. Parts are kept from expiry behind the record that
   * waits for a person, and expire before that record goes: no crash leaves any that stay for ever.
   *
   * @param before null for none
   * @return what is there instead; the record itself if it was written
   */
  @Nullable ExecutionRecord write(@Nullable ExecutionRecord before, ExecutionRecord record) {
    parts.letGo(before);
    Map<String, ExecutionRecord> named =
        record.state() == State.PARKED ? parts.of(record) : Map.of();
    ExecutionRecord left = writes.write(key, before, record);
    if (left != null && left.isOf(record)) {
      writes.mayHaveLeft(record); // what keeps parts may fail, as if no answer had come
      named.forEach(parts::keep);
    }
    return left;
  }

  /**
   * Removes a record, and then its parts.
   *
   * @return what is there instead; null if nothing is
   */
  @Nullable ExecutionRecord remove(ExecutionRecord before) {
    parts.letGo(before); // which is enough where no more is done
    Map<String, ExecutionRecord> named = parts.of(before);
    ExecutionRecord left = writes.remove(key, before);
    if (left == null) {
      named.forEach(parts::remove);
    }
    return left;
  }

  /**
   * Removes what is stored, also what cannot be read.
   *
   * @param stays tells what is not to be removed
   * @return whether nothing is stored now
   */
  boolean clear(Predicate<ExecutionRecord> stays) {
    try {
      ExecutionRecord found = records.read(key).orElse(null);
      while (found != null && !stays.test(found)) {
        found = remove(found);
      }
      return found == null;
    } catch (CorruptRecordException e) {
      if (writes.removeUnreadable(key) != null) {
        throw e; // it has become another one
      }
      return true;
    }
  }

  /** Whether a write of this call, whose answer did not come, has left that record. */
  boolean isOwn(@Nullable ExecutionRecord found) {
    return writes.isOwn(found);
  }

  /** Asks the store once for each write that follows: its thread is to end. */
  void hurry() {
    writes.hurry();
  }

  /** Whether an error is one that the store threw. */
  boolean isFault(Throwable error) {
    return writes.isFault(error);
  }

  /** Requires that a record fits, as to its values. */
  void requireFit(ExecutionRecord record) {
    if (size(record) > records.mostBytes()) {
      throw new TooLargeException(
          "the record of an execution would exceed "
              + records.mostBytes()
              + " bytes: its request is too large, or its steps are too many",
          null,
          null);
    }
  }

  /** About how many bytes a record takes. */
  static int size(ExecutionRecord record) {
    int size = 400 + bytes(record.request()) + bytes(record.result());
    for (Map.Entry<String, ExecutionRecord.Point> point : record.points().entrySet()) {
      size += 40 + bytes(point.getKey()) + bytes(point.getValue().value());
    }
    return size;
  }

  private static int bytes(@Nullable Stored value) {
    return value == null ? 0 : bytes(value.type()) + bytes(value.json());
  }

  static int bytes(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
