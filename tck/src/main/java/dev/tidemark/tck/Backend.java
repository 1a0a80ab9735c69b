package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Tracking;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One configuration of a backend that the contracts run against, such as DynamoDB Local or a
 * MongoDB replica set. All stores that it gives are on the same table or collection: asking twice
 * gives a second node. Contracts use fresh keys instead of cleaning up.
 */
public interface Backend extends AutoCloseable {

  /**
   * The configuration's name, a column of the page of guarantees.
   *
   * @return such as {@code DynamoDB Local}
   */
  String name();

  /**
   * Whether another configuration is there for long runs and for most random examples, as for one
   * store behind two clients: this one has fewer of them.
   *
   * @return false unless the runs of another one say enough
   */
  default boolean isSecond() {
    return false;
  }

  /**
   * What this configuration cannot do, with a sentence that says why. A contract that needs it is
   * reported as missing that capability.
   *
   * @return empty for a configuration without limits
   */
  Map<Capability, String> missing();

  /**
   * A store of views, keyed by one string.
   *
   * @param tracking what the views remember
   * @param clock the writer's clock
   * @return a store on the one table of this configuration
   */
  EntityStore<View> views(Tracking tracking, Clock clock);

  /**
   * The same store with a cache of marks.
   *
   * @param tracking what the views remember
   * @param clock the writer's clock
   * @param cache for this store alone
   * @return a store on the same table
   */
  EntityStore<View> views(Tracking tracking, Clock clock, MarkCache cache);

  /**
   * A store of views, keyed by two strings.
   *
   * @param tracking what the views remember
   * @param clock the writer's clock
   * @return a store on the other table of this configuration
   */
  EntityStore<View> compositeViews(Tracking tracking, Clock clock);

  /**
   * An update of {@link #views(Tracking, Clock)} in the store's own words, which adds one to the
   * total as a portable change would.
   *
   * @param rules what it does apart from that
   * @param status the status that a view must have; null for an update without a rule
   * @return a native update; the portable change where the store has none
   */
  EntityUpdate counting(EntityUpdate.Rules rules, @Nullable String status);

  /**
   * Plain records, in a table of their own.
   *
   * @param clock tells leases and expiry
   * @return records on the one table of this configuration
   */
  RecordStore recordStore(Clock clock);

  /**
   * The outgoing messages of the views that are keyed by one string.
   *
   * @param clock tells what is due
   * @return records on the table of {@link #views(Tracking, Clock)}, in four shards
   * @throws UnsupportedOperationException if {@link Capability#OUTBOX} is missing
   */
  OutboxRecords outboxRecords(Clock clock);

  /**
   * Transactions over the views that are keyed by one string, and an inbox.
   *
   * @param clock tells leases and expiry
   * @return transactions on the tables of this configuration
   * @throws UnsupportedOperationException if {@link Capability#TRANSACTIONS} is missing
   */
  Transactions transactions(Clock clock);

  /**
   * The same change as a native update, so that it is written the other way.
   *
   * @param change a change of views
   * @return empty where the store has no words of its own that mean the same
   */
  default Optional<EntityUpdate> inOwnWords(Change change) {
    return Optional.empty();
  }

  /**
   * The stored record of a view, read past the library and consistently: neutral values as {@link
   * dev.tidemark.kernel} has them, the names of marks flat as in storage-format.md, the key's
   * attributes left out. A store without sets may give a list where a set is meant.
   *
   * @param key the view, of one value or of two
   * @return empty if nothing is stored
   */
  Optional<Map<String, Object>> raw(EntityKey key);

  /**
   * Stores a record past the library, replacing what is there.
   *
   * @param key the view, of one value or of two
   * @param record as {@link #raw} gives it; values that are no marks may be strings, numbers,
   *     booleans, lists, sets and maps of them
   */
  void putRaw(EntityKey key, Map<String, Object> record);

  /**
   * Sets marks of a stored record to the store's own null, past the library; where a store has
   * none, it removes them.
   *
   * @param key the view, of one value or of two
   * @param marks their flat names
   */
  void putNull(EntityKey key, Set<String> marks);

  /**
   * Stores a whole record of a view that is keyed by one string, given literally in the store's own
   * JSON, past the library.
   *
   * @param json DynamoDB's JSON of an item, or MongoDB's extended JSON of a document, with its key
   * @throws UnsupportedOperationException if {@link Capability#NATIVE_JSON} is missing
   */
  void putJson(String json);

  /**
   * Stores a plain record, given literally as in {@link #putJson}, past the library.
   *
   * @param json with its key
   * @throws UnsupportedOperationException if {@link Capability#NATIVE_JSON} is missing
   */
  void putRecordJson(String json);

  /**
   * Compares a stored plain record with one that is given literally, names, types and values, past
   * the library.
   *
   * @param json with its key
   * @return what is stored in its place; empty if it is that
   * @throws UnsupportedOperationException if {@link Capability#NATIVE_JSON} is missing
   */
  Optional<String> recordBeside(String json);

  /**
   * Which of the examples in storage-format.md are this store's.
   *
   * @return {@code dynamodb}, {@code mongodb}, or the name of another format
   */
  String format();

  /**
   * Runs an action on the calling thread and counts what it sends.
   *
   * @param action what to measure
   * @return the requests that reached the store
   */
  Cost measure(Runnable action);

  /**
   * Breaks what is sent, for contracts about faults.
   *
   * @return the faults of this configuration
   */
  Faults faults();

  /**
   * What a measured action cost.
   *
   * @param reads requests that only read
   * @param writes requests that may write, refused ones too
   * @param units capacity units that the store reported; NaN where it does not
   */
  record Cost(int reads, int writes, double units) {}

  /**
   * Faults that are injected between the library and a real store, into what the calling thread
   * sends from now on; what an action in between sends is spared.
   */
  interface Faults {
    /**
     * Drops the replies of the next writes after the store has carried them out, retries of a
     * driver included.
     *
     * @param after how many replies of writes come through before
     * @param count how many replies in a row
     * @param between runs once, after the first loss and before the next attempt
     */
    void loseReplies(int after, int count, Runnable between);

    /**
     * The same from the first reply on.
     *
     * @param count how many replies in a row
     * @param between runs once, after the first loss and before the next attempt
     */
    default void loseReplies(int count, Runnable between) {
      loseReplies(0, count, between);
    }

    /**
     * Withholds the next writes, retries of a driver included: their replies are lost, and the
     * store carries them out right before the write that comes after them.
     *
     * @param count how many in a row
     * @param before runs once, before they are carried out
     * @param after runs once, when they are, before the write that comes after them
     */
    void delay(int count, Runnable before, Runnable after);

    /**
     * Answers the next writes with the store's throttling error, without carrying them out.
     *
     * @param count how many in a row
     */
    void throttle(int count);

    /**
     * Answers the next writes with the store's error for a conflicting transaction, without
     * carrying them out.
     *
     * @param count how many in a row
     */
    void conflict(int count);

    /** Ends all faults. */
    void heal();
  }

  @Override
  void close();
}
