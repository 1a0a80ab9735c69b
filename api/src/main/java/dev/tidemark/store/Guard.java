package dev.tidemark.store;

import org.jspecify.annotations.Nullable;

/** What must be true of the stored record so that a write is carried out. */
public sealed interface Guard {
  /** No record is there. */
  record Absent() implements Guard {}

  /**
   * A record is there that was not written since it was read.
   *
   * @param revision what {@link StoredRecord#revision} gave: a text, a value of the store's own
   *     types, or null where the record has none, or the store's own null in its place
   */
  record Unchanged(@Nullable Object revision) implements Guard {
    /** Tells no value. */
    @Override
    public String toString() {
      return "Unchanged";
    }
  }
}
