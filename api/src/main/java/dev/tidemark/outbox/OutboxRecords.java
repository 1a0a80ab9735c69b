package dev.tidemark.outbox;

import dev.tidemark.CorruptRecordException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The records of one table or collection that keep outgoing messages. This is all that a store
 * implements for a relay; the module {@code tidemark-tck} has the contracts that it must hold. Safe
 * for use by many threads.
 */
public interface OutboxRecords {
  /**
   * What tells this table or collection from others.
   *
   * @return its name
   */
  String name();

  /**
   * Over how many shards of the index its records are spread.
   *
   * @return 1 to 256
   */
  int shards();

  /**
   * Looks for records of a shard whose messages are to be sent, by an index that has nothing else
   * in it. One request if there is none, whatever the table has. Records come as they are stored,
   * read consistently; those of an index that lags may be left out. Those that cannot be read are
   * left out and counted; they hold back no others.
   *
   * @param shard 0 to {@code shards() - 1}
   * @param from the first time at which a record may be due, in milliseconds since 1970; {@code
   *     Long.MIN_VALUE} leaves none out
   * @param until the last time; {@code Long.MAX_VALUE} leaves none out
   * @param most how many to give; at least 1
   * @param size about how much memory what is given may take, see {@link OutboxRecord#size}; a look
   *     ends once it has taken as much, whatever it has found
   * @return those that are due in that time, the longest due first, and what was left out
   */
  Look look(int shard, long from, long until, int most, long size);

  /**
   * The records of a shard whose messages are to be sent by now.
   *
   * @param shard 0 to {@code shards() - 1}
   * @param now the time in milliseconds since 1970
   * @param most how many to give; at least 1
   * @return those that are due, the longest due first
   * @throws RuntimeException if all that is due was left out, for instance as it cannot be read
   */
  default List<OutboxRecord> due(int shard, long now, int most) {
    Look look = look(shard, Long.MIN_VALUE, now, most, Long.MAX_VALUE);
    if (look.records().isEmpty() && look.error() != null) {
      throw look.error();
    }
    return look.records();
  }

  /**
   * Looks for records of a shard that have parked messages and none that waits.
   *
   * @param shard 0 to {@code shards() - 1}; a higher one for what was parked while there were more.
   *     Once released it waits in one of those that there are
   * @param most how many to give; at least 1
   * @return as they are stored
   */
  List<OutboxRecord> parked(int shard, int most);

  /**
   * Reads a record, consistently.
   *
   * @param key as {@link OutboxRecord#key} has it
   * @return empty if there is none, or if it keeps no messages
   */
  Optional<OutboxRecord> read(Object key);

  /**
   * A key that is kept in mind for long: without what a store keeps in a key of the record that was
   * read, such as its messages.
   *
   * <p>Unless a store overrides it, this is the key itself.
   *
   * @param key as {@link OutboxRecord#key} has it
   * @return an equal one, by which {@link #read} finds the record
   */
  default Object bare(Object key) {
    return key;
  }

  /**
   * Reads records, consistently: what a relay does that was told of them. Ends once what it has
   * read takes as much memory as it may; the keys that it gives no record for were not read.
   *
   * <p>Unless a store overrides it, this makes one request for each.
   *
   * @param keys different ones, as {@link OutboxRecord#key} has them
   * @param size about how much memory what is given may take, see {@link OutboxRecord#size}; of at
   *     least one key there is a record, whatever it takes
   * @return what was read, in any order: {@linkplain OutboxRecord#nothing nothing} for a key that
   *     keeps no messages, or whose record cannot be read
   */
  default List<OutboxRecord> readAll(Collection<?> keys, long size) {
    List<OutboxRecord> found = new ArrayList<>();
    long taken = 0;
    for (Object key : keys) {
      OutboxRecord record = readable(key).orElseGet(() -> OutboxRecord.nothing(key));
      found.add(record);
      taken += record.size();
      if (taken >= size) {
        break;
      }
    }
    return found;
  }

  private Optional<OutboxRecord> readable(Object key) {
    try {
      return read(key);
    } catch (CorruptRecordException e) { // the other records are not to wait for it
      return Optional.empty();
    }
  }

  /**
   * Changes records, each by itself and under the condition that what the change takes is there, so
   * that nothing is lost that was published since, and that it leaves the message first that {@link
   * OutboxRecord#after} has first, so that no try is counted against another one. In as few
   * requests as the store has means for. A record of its own that keeps nothing any more is
   * removed; a tombstone gets its expiry.
   *
   * @param changes of different records
   * @return what came of each, in order
   */
  List<Answer> write(List<OutboxChange> changes);

  /**
   * The clock by which messages are due.
   *
   * @return the store's clock
   */
  Clock clock();

  /** What came of a change. */
  sealed interface Answer {
    /**
     * It was made.
     *
     * @param complete whether nothing is left of the record's messages
     */
    record Written(boolean complete) implements Answer {}

    /**
     * Messages came or went since the record was read, and nothing was written.
     *
     * @param found what is stored, read consistently; null if it keeps no messages
     */
    record Refused(@Nullable OutboxRecord found) implements Answer {}

    /**
     * Nobody knows whether the change was made, so it may be tried again: making the same change
     * twice does no harm.
     *
     * @param error what the store said; a {@link dev.tidemark.TooLargeException} if the record has
     *     no room for the change, which was not made
     */
    record Unsure(RuntimeException error) implements Answer {}
  }
}
