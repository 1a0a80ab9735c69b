package dev.tidemark.outbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a record as a relay of a cluster knows it, with the record as it is stored. Equal for
 * the same record.
 *
 * @param stored the whole record
 * @param takenOver what knows of the messages that the relay is shown, where they are of others;
 *     else null
 */
record ClusterKey(OutboxRecord stored, @Nullable Succession takenOver) {
  /** The key as the store has it, by which relays know a record. */
  static Object raw(Object key) {
    return key instanceof ClusterKey known ? known.stored.key() : key;
  }

  /** How much memory a record takes, with what of it the relay is not shown. */
  static long size(OutboxRecord record) {
    return record.key() instanceof ClusterKey known ? known.stored.size() : record.size();
  }

  /** Whether a record is changed as it is stored, and not sent in place of another cluster. */
  static boolean isOwn(OutboxRecord record) {
    return !(record.key() instanceof ClusterKey known) || known.isOwn();
  }

  boolean isOwn() {
    return takenOver == null;
  }

  /** The key of the record after a change, which is stored where it is of this cluster's own. */
  ClusterKey after(OutboxChange change) {
    return isOwn() ? new ClusterKey(stored.after(change), null) : this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClusterKey key && key.stored.key().equals(stored.key());
  }

  @Override
  public int hashCode() {
    return stored.key().hashCode();
  }

  /**
   * A record as the relay is to know it.
   *
   * @param takenOver what knows of the messages, where they are of others; else null
   */
  static OutboxRecord shown(
      OutboxRecord stored, List<OutboxMessage> may, @Nullable Succession takenOver) {
    long tries = takenOver == null ? stored.tries() : 0;
    return new OutboxRecord(
        new ClusterKey(stored, takenOver), may, List.of(), tries, stored.due(), stored.shard());
  }
}
