package dev.tidemark.kernel;

import java.util.Map;

/**
 * What the fields of one kind of plain records mean, once for all stores.
 *
 * @param <V> a record of that kind
 */
public interface RecordCodec<V> {
  /**
   * What a record of this kind is called in the texts of faults.
   *
   * @return such as {@code the record of an execution}
   */
  String what();

  /**
   * A record as named fields.
   *
   * @param record any record
   * @return what {@link dev.tidemark.store.ConditionalWrite} takes
   */
  Map<String, Object> fields(V record);

  /**
   * A record as it was stored, by this version or an earlier one.
   *
   * @param fields what is stored
   * @return the record
   * @throws dev.tidemark.CorruptRecordException if the fields cannot be read
   */
  V record(StoredFields fields);

  /**
   * What guards a record.
   *
   * @param record any record
   * @return its revision; empty if it has none that is a text
   */
  String revision(V record);
}
