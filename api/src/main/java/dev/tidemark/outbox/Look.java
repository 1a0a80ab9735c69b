package dev.tidemark.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a look at a shard has found, and what it has seen besides. Later versions may add
 * components.
 *
 * @param records those that were looked for, the longest due first
 * @param unreadable how many records were left out since they cannot be read
 * @param heldBack how many messages were left out that are not this relay's to send yet, although
 *     they have waited for long: those of {@link ClusteredRecords}
 * @param goesOn whether there is more behind that was not looked at, although fewer records were
 *     found than were asked for
 * @param error why something was left out; null if nothing was
 */
public record Look(
    List<OutboxRecord> records,
    int unreadable,
    int heldBack,
    boolean goesOn,
    @Nullable RuntimeException error) {
  /**
   * Copies the list.
   *
   * @param records those that were looked for
   * @param unreadable how many records cannot be read
   * @param heldBack how many messages are not to be sent yet
   * @param goesOn whether there is more behind
   * @param error why something was left out
   */
  public Look {
    records = List.copyOf(records);
  }

  /**
   * A look that has left nothing out.
   *
   * @param records those that were looked for
   * @return the look
   */
  public static Look of(List<OutboxRecord> records) {
    return new Look(records, 0, 0, false, null);
  }

  /** Counts, and tells no more of an error than its class. */
  @Override
  public String toString() {
    return "Look[%d records, %d unreadable, %d held back%s%s]"
        .formatted(
            records.size(),
            unreadable,
            heldBack,
            goesOn ? ", goes on" : "",
            error == null ? "" : ", " + error.getClass().getName());
  }
}
