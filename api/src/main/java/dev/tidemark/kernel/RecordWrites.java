package dev.tidemark.kernel;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.store.Answer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one call, each asked until the store has answered: what was not carried out is asked
 * again, and what may have been is told by its revision, which nobody else can have written. For
 * one thread.
 *
 * @param <V> a record
 */
public final class RecordWrites<V> {
  /** The pauses between the tries of a write. */
  public static final Backoff BACKOFF = Backoff.contending(Duration.ofMillis(5));

  private static final int MOST_TRIES = 12;

  /** How often a request may pass the deadline of the store's client. */
  private static final int MOST_LATE = 3;

  private final TypedRecords<V> records;
  private final Consumer<Duration> pauses;
  private final Set<String> unanswered = new HashSet<>();
  private @Nullable Throwable fault;

  /** How often a write is asked again. */
  private int most = MOST_TRIES;

  /**
   * For one call.
   *
   * @param records where to write
   * @param pauses waits; ends early where the thread is interrupted, which stays so
   */
  public RecordWrites(TypedRecords<V> records, Consumer<Duration> pauses) {
    this.records = records;
    this.pauses = pauses;
  }

  /**
   * Reads a record.
   *
   * @param key the record's key
   * @return empty if there is none
   */
  public Optional<V> read(String key) {
    return asked(() -> records.read(key));
  }

  /**
   * Writes a record in place of another one.
   *
   * @param key the record's key
   * @param before what was read; null for none
   * @param record under a revision of its own
   * @return what is there instead; the record itself if it was written
   */
  public @Nullable V write(String key, @Nullable V before, V record) {
    String revision = before == null ? null : records.revision(before);
    return told(revision, ask(() -> records.write(key, revision, record), record));
  }

  /**
   * Removes a record.
   *
   * @param key the record's key
   * @param before what was read
   * @return what is there instead; null if nothing is
   */
  public @Nullable V remove(String key, V before) {
    String revision = records.revision(before);
    return told(revision, ask(() -> records.remove(key, revision), null));
  }

  /**
   * Removes a record that cannot be read.
   *
   * @param key the record's key
   * @return what is there instead and can be read; null if nothing is
   */
  public @Nullable V removeUnreadable(String key) {
    return ask(() -> records.removeUnreadable(key), null);
  }

  /** A revision that is there, and is not written over, cannot be what is stored. */
  private @Nullable V told(@Nullable String before, @Nullable V found) {
    if (found != null && records.revision(found).equals(before)) {
      throw new CorruptRecordException(
          records.what() + " has a revision by which it cannot be written", null, null);
    }
    return found;
  }

  /**
   * Whether a write of this call, whose answer did not come, has left a record.
   *
   * @param found what is stored; null for nothing
   * @return true if nobody else can have written it
   */
  public boolean isOwn(@Nullable V found) {
    return found != null && unanswered.contains(records.revision(found));
  }

  /**
   * Counts a record that this call has written as one whose answer did not come.
   *
   * @param record what was written
   */
  public void mayHaveLeft(@Nullable V record) {
    if (record != null) {
      unanswered.add(records.revision(record));
    }
  }

  /**
   * Whether an error is one that the store threw in this call.
   *
   * @param error any error
   * @return true if it is the last one
   */
  public boolean isFault(Throwable error) {
    return error == fault;
  }

  /** Asks once for each write that follows: whoever waits for this call waits no longer. */
  public void hurry() {
    most = 0;
  }

  /** Asks the store, and remembers what it throws. */
  private <A> A asked(Supplier<A> question) {
    try {
      return question.get();
    } catch (Throwable e) {
      fault = e;
      throw e;
    }
  }

  /**
   * Asks until the store has answered.
   *
   * @return what is there now; the record itself if it was written
   */
  private @Nullable V ask(Supplier<Answer<V>> question, @Nullable V record) {
    boolean lost = false;
    int tries = 0;
    int late = 0;
    while (true) {
      Answer<V> answer;
      try {
        answer = asked(question);
      } catch (Throwable e) {
        mayHaveLeft(record);
        throw e;
      }
      if (answer instanceof Answer.Written) {
        return record;
      }
      if (answer instanceof Answer.Refused<V> refused) {
        return refused.found();
      }
      RuntimeException error = ((Answer.Failed<V>) answer).error();
      if (answer instanceof Answer.Lost<V> none) {
        lost = true;
        late += none.late() ? 1 : 0;
        mayHaveLeft(record);
      }
      if (late == MOST_LATE || tries >= most) {
        throw lost
            ? new OutcomeUnknownException(
                "no answer came for a write of " + records.what(), null, error)
            : new ContentionException(
                "throttling outlasted the tries for a write of " + records.what(), null, error);
      }
      tries++;
      pauses.accept(BACKOFF.after(tries));
    }
  }
}
