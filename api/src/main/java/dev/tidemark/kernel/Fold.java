package dev.tidemark.kernel;

import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one entity in a batch, from the first request to the result of each: which of them
 * go into the next conditional write together, and what an answer to it means for each. A backend
 * asks for the {@link #next} step, takes it, and says how it ended, until there is none. For one
 * thread at a time.
 *
 * @param <T> the entity's type
 */
public final class Fold<T> {
  /**
   * What comes next.
   *
   * @param <T> the entity's type
   */
  public sealed interface Step<T> {
    /**
     * Nothing: every write has a result.
     *
     * @param <T> the entity's type
     */
    record Finished<T>() implements Step<T> {}

    /**
     * A call of its own, whose result is told to {@link Fold#end}.
     *
     * @param place where the write stands
     * @param write the write
     * @param <T> the entity's type
     */
    record Alone<T>(int place, Write<T> write) implements Step<T> {}

    /**
     * A read, which is told to {@link Fold#over}.
     *
     * @param <T> the entity's type
     */
    record Look<T>() implements Step<T> {}

    /**
     * A write by who has not read. What becomes of it is told to {@link Fold#accepted}, {@link
     * Fold#over} or {@link Fold#fault}.
     *
     * @param attempt the write
     * @param <T> the entity's type
     */
    record Blind<T>(FoldedWrite<T> attempt) implements Step<T> {}
  }

  private final List<Write<T>> writes;
  private final List<@Nullable Result<T>> results = new ArrayList<>();
  private final List<@Nullable Result<T>> sure = new ArrayList<>();
  private final List<FoldedWrite<T>> lost = new ArrayList<>();
  private final FoldPass<T> pass;
  private final Recall recall;
  private final int most;
  private int limit;
  private boolean mustLook;
  private boolean singly;
  private @Nullable FoldedWrite<T> sent;

  /**
   * A fold of which nothing is done yet. Writes that fail the check are not tried.
   *
   * @param writes the writes of one entity, in order
   * @param tracking the policies
   * @param names how the store spells the names of {@code tracking}
   * @param clock the writer's clock
   * @param check throws what is wrong with a write, whatever is stored
   * @param recall answers sure duplicates
   */
  public Fold(
      List<Write<T>> writes,
      Tracking tracking,
      Names names,
      Clock clock,
      Consumer<Write<T>> check,
      Recall recall) {
    this.writes = List.copyOf(writes);
    this.most = Math.max(2, writes.size());
    this.limit = most;
    this.pass = new FoldPass<>(this.writes, results, sure, tracking, names, clock);
    this.recall = recall;
    boolean keeps = this.writes.stream().noneMatch(Fold::erases);
    if (!keeps) {
      this.writes.forEach(write -> recall.forget(write.key()));
    }
    for (Write<T> write : this.writes) {
      Result<T> failed = Faults.failed(write.key(), () -> check.andThen(pass::check).accept(write));
      results.add(failed);
      sure.add(failed == null && keeps && !isOvertaken(write) ? recalled(write) : null);
    }
  }

  /** Whether a later event of its source stands before it, after which it may be Stale. */
  private boolean isOvertaken(Write<T> write) {
    int place = results.size() - 1;
    return recall.isOn()
        && write.message() instanceof SourceEvent event
        && writes.subList(0, place).stream()
            .map(Write::message)
            .anyMatch(
                other ->
                    other instanceof SourceEvent before
                        && before.source().generation(0).equals(event.source().generation(0))
                        && before.isBehind(event));
  }

  /** Whether a write takes marks away, so that what is recalled may not be true after it. */
  private static boolean erases(Write<?> write) {
    return write.action() instanceof Write.Action.Update<?> update
        ? !update.change().retired().isEmpty()
        : !(write.action() instanceof Write.Action.Apply);
  }

  private @Nullable Result<T> recalled(Write<T> write) {
    Optional<Outcome<T>> sure = recall.sure(write.message(), write.key());
    return sure.<Result<T>>map(Result.Judged::new).orElse(null);
  }

  /**
   * What became of all writes, once finished.
   *
   * @return in order
   */
  public List<Result<T>> results() {
    List<Result<T>> all = new ArrayList<>();
    results.forEach(result -> all.add(Objects.requireNonNull(result)));
    return List.copyOf(all);
  }

  /**
   * Lets the outcomes be recalled, once finished.
   *
   * @param stored what the backend keeps of the entity; null if nothing
   */
  public void remember(@Nullable Object stored) {
    boolean erased = writes.stream().anyMatch(Fold::erases);
    for (int place = 0; place < writes.size(); place++) {
      if (recall.isOn() && results.get(place) instanceof Result.Judged<T> judged) {
        Write<T> write = writes.get(place);
        recall.saw(write.message(), write.key(), judged.outcome(), erased, stored);
      }
    }
  }

  /**
   * What to do next.
   *
   * @return a step
   */
  public Step<T> next() {
    Holds holds = new Holds(pass.tracking());
    for (int place = 0; place < writes.size(); place++) {
      Write<T> write = writes.get(place);
      Result<T> result = results.get(place);
      if (result == null) {
        Message behind = holds.behind(write);
        result = behind == null ? sure.get(place) : new Result.HeldBack<>(behind);
        if (result == null) {
          return step(place);
        }
        results.set(place, result);
      }
      holds.ended(write, result);
    }
    return new Step.Finished<>();
  }

  /**
   * The time of the step that comes next, which what is read for it has to go by.
   *
   * @return when the step was asked for
   */
  public Instant now() {
    return pass.now();
  }

  private Step<T> step(int place) {
    pass.start();
    Write<T> write = writes.get(place);
    boolean function = write.action() instanceof Write.Action.Apply;
    if (singly || !FoldPass.folds(write) || (limit == 1 && !function)) {
      limit = Math.min(most, 2 * limit);
      return new Step.Alone<>(place, write);
    }
    FoldedWrite<T> attempt = function || mustLook ? null : pass.blind(limit);
    mustLook = false;
    if (attempt == null || attempt.places().isEmpty()) {
      return new Step.Look<>();
    }
    sent = attempt;
    return new Step.Blind<>(attempt);
  }

  /** From now on every write is made by a call of its own. */
  public void singly() {
    keepIfLost(sent);
    singly = true;
    sent = null;
  }

  /**
   * Takes the result of a call of its own. The call does not know of a folded write without an
   * answer: what it found may have been made by that.
   *
   * @param place where the write stands
   * @param result what became of it
   */
  public void end(int place, Result<T> result) {
    results.set(place, pass.besideLost(place, result, lost));
  }

  /**
   * Takes what is stored: read, or returned by the write that it refused.
   *
   * @param found the entity
   * @param functions calls functions on it
   * @return the write to make over it, which is told as that of a blind step is; empty if there is
   *     none to make
   */
  public Optional<FoldedWrite<T>> over(Found<T> found, FoldedFunctions<T> functions) {
    FoldedWrite<T> before = sent;
    sent = null;
    keepIfLost(before);
    List<FoldedWrite<T>> earlier = new ArrayList<>(lost);
    if (before != null && !earlier.contains(before)) {
      earlier.add(before);
    }
    for (FoldedWrite<T> write : earlier) {
      if (pass.isWrittenBy(found, write)) {
        lost.remove(write);
        sent = write;
        accepted(pass.isCreatedBy(found, write), found.entity(), found.marks());
        return Optional.empty();
      }
    }
    for (FoldedWrite<T> write : List.copyOf(lost)) {
      if (pass.isUnknown(found, write)) {
        lost.remove(write);
        fail(write, write.marking().unknown(null));
      }
    }
    FoldedWrite<T> attempt = pass.informed(found, functions, limit);
    if (attempt.places().isEmpty()) {
      attempt.results().forEach(results::set);
      return Optional.empty();
    }
    sent = attempt;
    return Optional.of(attempt);
  }

  /** A write without an answer may still be on its way when what is stored does not show it. */
  private void keepIfLost(@Nullable FoldedWrite<T> attempt) {
    if (attempt != null && attempt.marking().isUncertain()) {
      lost.add(attempt);
    }
  }

  /**
   * The write was accepted.
   *
   * @param created whether it created the entity
   * @param entity the entity after it, where it is at hand
   * @param marks the marks after it by flat name, as far as they are known
   */
  public void accepted(boolean created, @Nullable T entity, Map<String, Object> marks) {
    FoldedWrite<T> attempt = Objects.requireNonNull(sent);
    sent = null;
    limit = Math.min(most, 2 * limit);
    attempt.results().forEach(results::set);
    boolean first = true;
    for (int place : attempt.places()) {
      Outcome<T> outcome = pass.applied(place, attempt, created && first, entity, marks);
      results.set(place, new Result.Judged<>(outcome));
      first = false;
    }
  }

  /**
   * The step met a fault. Where it may be that of one message, or that they are too many, the next
   * write has fewer.
   *
   * @param fault what a call of its own would throw
   * @param mayBeOfOne whether other messages may do without it
   */
  public void fault(RuntimeException fault, boolean mayBeOfOne) {
    FoldedWrite<T> attempt = sent;
    sent = null;
    if (attempt == null) { // of a read
      for (int place = 0; place < results.size(); place++) {
        fail(place, fault);
      }
    } else if (mayBeOfOne && (attempt.places().size() > 1 || !attempt.isOfFunctions())) {
      keepIfLost(attempt);
      limit = Math.max(1, attempt.places().size() / 2);
      mustLook = attempt.isInformed();
    } else {
      boolean uncertain = attempt.marking().isUncertain();
      fail(attempt, uncertain ? attempt.marking().unknown(fault) : fault);
    }
  }

  private void fail(FoldedWrite<T> attempt, RuntimeException fault) {
    attempt.places().forEach(place -> fail(place, fault));
  }

  private void fail(int place, RuntimeException fault) {
    if (results.get(place) == null) {
      results.set(place, pass.besideLost(place, new Result.Failed<>(fault), lost));
    }
  }
}
