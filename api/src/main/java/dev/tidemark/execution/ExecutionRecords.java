package dev.tidemark.execution;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the records of executions are kept. This is all that a store implements; the module {@code
 * tidemark-tck} has the contracts that it must hold. Safe for use by many threads.
 */
public interface ExecutionRecords {
  /**
   * Writes a record under a condition, in one request.
   *
   * @param key the record's key
   * @param before the revision that must be there; null if no record may be there
   * @param record what to store
   * @return what came of it
   */
  Answer write(String key, @Nullable String before, ExecutionRecord record);

  /**
   * Reads a record, consistently.
   *
   * @param key the record's key
   * @return empty if there is none
   * @throws dev.tidemark.CorruptRecordException if what is there cannot be read
   * @throws dev.tidemark.ContentionException if the store was throttling for too long
   */
  Optional<ExecutionRecord> read(String key);

  /**
   * Removes a record under a condition, in one request.
   *
   * @param key the record's key
   * @param before the revision that must be there
   * @return what came of it
   */
  Answer remove(String key, String before);

  /**
   * Removes a record that cannot be read, or that has no revision by which {@link #remove} can take
   * it. What somebody writes after it was looked at stays: the write has the condition that what
   * stands in the revision's place, of whatever type, is as it was.
   *
   * @param key the record's key
   * @return what came of it; refused where nothing is there, or what can be read, as by default
   */
  default Answer removeUnreadable(String key) {
    return new Answer.Refused(read(key).orElse(null));
  }

  /**
   * Looks for unfinished executions whose lease has ended, by an index that has nothing else in it.
   * Within one part of the index, executions whose lease ended first come first. No part of the
   * index always comes last.
   *
   * @param flow the name of the registered work
   * @param now the time in milliseconds since 1970
   * @param most how many to give
   * @return their keys; those of an index that lags may be finished by now
   */
  List<String> stale(String flow, long now, int most);

  /**
   * Looks for executions that wait for a person, by the same index.
   *
   * @param prefix what their keys start with
   * @param most how many to give
   * @return their keys, in no order; those of an index that lags may be released by now
   */
  List<String> parked(String prefix, int most);

  /**
   * Lists what is stored, for operators: a store may have to look at everything that it has.
   *
   * @param prefix what the keys start with
   * @param after the key that the list goes on behind, in the store's order; null for the first
   * @param most how many to give
   * @return keys in the store's order, each once; fewer than asked for are the last
   */
  List<String> list(String prefix, @Nullable String after, int most);

  /**
   * The clock that leases and expiry are told by.
   *
   * @return the store's clock
   */
  Clock clock();

  /**
   * How large a record may be, in bytes of UTF-8 of its values.
   *
   * @return at least 10,000
   */
  int mostBytes();

  /** What came of a write. */
  sealed interface Answer {
    /** It was carried out. */
    record Written() implements Answer {}

    /**
     * The condition was false, and nothing was written.
     *
     * @param found what is stored, read consistently; null if nothing is
     */
    record Refused(@Nullable ExecutionRecord found) implements Answer {}

    /**
     * It was not carried out, and may be if it is asked again: throttled, or in conflict with
     * another.
     *
     * @param error what the store said
     */
    record Busy(RuntimeException error) implements Answer {}

    /**
     * No answer came: it may have been carried out.
     *
     * @param error what ended the wait
     * @param late whether a deadline of the store's own client ended the wait; a request that has
     *     passed three such deadlines is not sent again
     */
    record Lost(RuntimeException error, boolean late) implements Answer {
      /**
       * An answer that got lost on the way.
       *
       * @param error what ended the wait
       */
      public Lost(RuntimeException error) {
        this(error, false);
      }
    }
  }
}
