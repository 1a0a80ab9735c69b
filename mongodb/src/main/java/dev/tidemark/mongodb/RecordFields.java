package dev.tidemark.mongodb;

import dev.tidemark.CorruptRecordException;
import java.util.Date;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Reads fields of records that anybody may have written. */
final class RecordFields {
  private RecordFields() {}

  /**
   * A date; null if there is none.
   *
   * @throws CorruptRecordException if something else is there
   */
  static @Nullable Date date(Document record, String field) {
    Object value = record.get(field);
    if (value == null || value instanceof Date) {
      return (Date) value;
    }
    throw new CorruptRecordException(
        "the field '"
            + field
            + "' of a record is of the type "
            + value.getClass().getSimpleName()
            + " and not a date: remove the field, or the record",
        null,
        null);
  }
}
