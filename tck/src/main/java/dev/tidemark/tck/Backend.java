package dev.tidemark.tck;

import dev.tidemark.EntityStore;
import dev.tidemark.Key;
import dev.tidemark.Tracking;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;

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
   * A store of views, keyed by two strings.
   *
   * @param tracking what the views remember
   * @param clock the writer's clock
   * @return a store on the other table of this configuration
   */
  EntityStore<View> compositeViews(Tracking tracking, Clock clock);

  /**
   * The stored record of a view keyed by one string, read past the library: neutral values, the
   * names of marks flat as in storage-format.md, the key's attributes left out.
   *
   * @param key the view
   * @return empty if nothing is stored
   */
  Optional<Map<String, Object>> raw(Key key);

  /**
   * Stores a record past the library, replacing what is there.
   *
   * @param key the view
   * @param record as {@link #raw} gives it
   */
  void putRaw(Key key, Map<String, Object> record);

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

  /** Faults that are injected between the library and a real store. */
  interface Faults {
    /**
     * Drops the replies of the next writes after the store has carried them out.
     *
     * @param count how many replies in a row
     * @param between runs once, after the first loss and before the next attempt
     */
    void loseReplies(int count, Runnable between);

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
  }
}
