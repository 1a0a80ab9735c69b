package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.kernel.Faults;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * One call of {@link Flow#resume}: which executions it goes on with, and what came of them. What
 * nobody can go on with takes no other's place: a record that cannot be read cannot be put behind
 * the others, so the call looks beyond it. For one thread.
 */
final class Resuming<R> {
  /** So many records are looked at for nothing, at most. */
  static final int MOST_IN_VAIN = 1_000;

  private final Executions executions;
  private final Claims claims;
  private final String flow;
  private final BiFunction<String, ExecutionRecord, Execution<R>> work;
  private final Set<String> seen = new HashSet<>();
  private final List<RuntimeException> faults = new ArrayList<>();

  /** What the index threw where it was looked at. */
  private final List<Throwable> refusals = new ArrayList<>();

  private int left;
  private int ended;
  private int waiting;

  /**
   * Begins.
   *
   * @param flow the partition of the index that has its unfinished executions
   * @param most how many to go on with
   * @param work goes on with one, by its key and what is stored
   */
  Resuming(
      Executions executions,
      String flow,
      int most,
      BiFunction<String, ExecutionRecord, Execution<R>> work) {
    this.executions = executions;
    this.claims = executions.claims();
    this.flow = flow;
    this.work = work;
    this.left = most;
  }

  /**
   * Goes on with executions whose lease ends in a time, in milliseconds since 1970. A look that is
   * refused takes nothing from what was done before, and ends no other.
   *
   * @return false if it was refused
   */
  boolean look(long from, long before) {
    try {
      find(from, before);
      return true;
    } catch (Throwable e) {
      faults.add(Faults.unchecked(e));
      refusals.add(e);
      return false;
    }
  }

  private void find(long from, long before) {
    long most = (long) left + MOST_IN_VAIN;
    int asked = left;
    boolean more = left > 0;
    while (more) {
      List<String> keys = claims.records().due(flow, from, before, asked);
      for (String key : keys) {
        if (left > 0 && seen.add(key)) {
          left -= isTried(key) ? 1 : 0;
        }
      }
      more = left > 0 && keys.size() >= asked && asked < most;
      asked = (int) Math.min(Math.min(2L * asked, most), Integer.MAX_VALUE);
    }
  }

  /** Goes on with one, unless it cannot be read, or nothing is left to do. */
  private boolean isTried(String key) {
    Optional<ExecutionRecord> found;
    try {
      found = claims.records().read(key);
    } catch (Throwable e) { // a store that is away answers no other read either
      fault(key, e);
      return !(e instanceof CorruptRecordException);
    }
    Optional<ExecutionRecord> stale =
        found.filter(one -> one.isOpen() && one.flow().equals(flow) && !claims.isLive(key, one));
    stale.ifPresent(one -> goOn(key, one));
    return stale.isPresent();
  }

  private void goOn(String key, ExecutionRecord found) {
    try {
      if (claims.isForgotten(found)) {
        claims.pass(key, found);
        return;
      }
      Execution<R> execution = work.apply(key, found);
      boolean end = execution.isDone() || execution instanceof Execution.Failed;
      ended += end ? 1 : 0;
      waiting += execution instanceof Execution.InDoubt ? 1 : 0;
    } catch (Throwable e) {
      pass(key, found, e);
      fault(key, e);
    }
  }

  /** Does nothing where the work has begun. */
  private void pass(String key, ExecutionRecord found, Throwable error) {
    try {
      claims.pass(key, found);
    } catch (Throwable another) {
      Faults.suppress(another, error);
    }
  }

  private void fault(String key, Throwable error) {
    EntityKey given = EntityKey.key(StoredExecutions.given(executions.scope(), key));
    faults.add(Faults.ofKey(Faults.unchecked(error), given));
  }

  Flow.Resumed resumed() {
    if (seen.isEmpty() && !refusals.isEmpty()) {
      Throwable first = refusals.get(0);
      refusals.forEach(another -> Faults.suppress(another, first));
      if (first instanceof Error error) {
        throw error;
      }
      throw Faults.unchecked(first);
    }
    return new Flow.Resumed(ended, waiting, List.copyOf(faults));
  }
}
