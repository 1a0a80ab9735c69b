package dev.tidemark.kernel;

import dev.tidemark.Tracking;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gathers from the tasks of a {@link Run} what its next request is. */
final class Gatherer<T> {
  private final List<Task<T>> tasks;
  private final Clock clock;

  /** How many messages one request may have, and how many the next may have after a split. */
  private final int most;

  private int limit;

  /** Judges what is found, at the time that the clock told last. */
  private Verdicts<T> verdicts;

  /** Whether a delete may do without a read. */
  boolean deletesBlindly;

  /** What the cache kept of the record; null if nothing, and once it was used. */
  @Nullable Stored<T> recalled;

  Gatherer(List<Task<T>> tasks, Tracking tracking, Names names, Clock clock, String store) {
    this.tasks = tasks;
    this.clock = clock;
    this.most = Math.max(2, tasks.size());
    this.limit = most;
    this.verdicts = new Verdicts<>(tracking, names, Instant.EPOCH, store, false);
  }

  /** Lets the requests be such of which no reply tells what they leave. */
  void joins() {
    verdicts = verdicts.joining();
  }

  void readClock() {
    verdicts = verdicts.at(clock.instant());
  }

  Verdicts<T> verdicts() {
    return verdicts;
  }

  /** Whether no task needs a request any more; if so, gives each its result. */
  boolean settlesAll() {
    return new Gathered<>(verdicts, null).settles(tasks);
  }

  /** Lets the next request have fewer messages than the last. */
  void halve(int messages) {
    limit = messages / 2;
  }

  /** Lets the next request have more messages, since one was accepted. */
  void grow() {
    limit = Math.min(most, 2 * limit);
  }

  /** The next write without a read; null if the first open task needs one. */
  @Nullable Attempt<T> blind() {
    return new BlindWalk<>(verdicts, limit, deletesBlindly).attempt(tasks);
  }

  /**
   * The next write without a read, or over the recalled record; null if a read comes first.
   *
   * @param informed whether it has to be over a record
   */
  @Nullable Attempt<T> next(boolean informed) {
    Attempt<T> blind = informed ? null : blind();
    return blind != null ? blind : overRecalled();
  }

  /** The write over the recalled record; null if there is none, or if a task fails on it. */
  private @Nullable Attempt<T> overRecalled() {
    Stored<T> old = recalled;
    recalled = null;
    try {
      Gathered<T> over = old == null ? null : informed(old, null);
      return over == null || over.hasFault() ? null : over.attempt();
    } catch (RuntimeException e) { // the record may be old: a read tells
      return null;
    }
  }

  /**
   * The next write over what was read, and what the tasks become that need none.
   *
   * @param ruledOut the task whose rule is known to be false; null if there is none
   */
  Gathered<T> informed(Stored<T> stored, @Nullable Task<T> ruledOut) {
    return new InformedWalk<>(verdicts, stored, limit).over(tasks, ruledOut);
  }
}
