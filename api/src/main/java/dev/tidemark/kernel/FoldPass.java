package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.Decision;
import dev.tidemark.Key;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Passes over the writes of one entity that have no result yet, in order, each of which gathers the
 * next conditional write and what it means for every message on the way.
 */
final class FoldPass<T> {
  private final List<Write<T>> writes;
  private final List<@Nullable Result<T>> results;
  private final List<@Nullable Result<T>> sure;
  private final Tracking tracking;
  private final Names names;
  private final Clock clock;
  private Instant now = Instant.EPOCH;

  FoldPass(
      List<Write<T>> writes,
      List<@Nullable Result<T>> results,
      List<@Nullable Result<T>> sure,
      Tracking tracking,
      Names names,
      Clock clock) {
    this.writes = writes;
    this.results = results;
    this.sure = sure;
    this.tracking = tracking;
    this.names = names;
    this.clock = clock;
  }

  Tracking tracking() {
    return tracking;
  }

  /** Starts a round, which reads the clock once. */
  void start() {
    now = clock.instant();
  }

  /** The time of the round. */
  Instant now() {
    return now;
  }

  /** What a pass has gathered. */
  private final class Gathered {
    private final Holds holds = new Holds(tracking);
    private final Map<Integer, Result<T>> outcomes = new LinkedHashMap<>();
    private final List<Integer> places = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private final Composition composition = new Composition();
    private boolean functions;
    private boolean ofTombstone;

    /** Whether a write waits for one that has no good end, or has an end already. */
    boolean passes(int place) {
      Write<T> write = writes.get(place);
      Result<T> known = results.get(place);
      Result<T> duplicate = sure.get(place);
      Message behind = holds.behind(write);
      if (known != null) {
        holds.ended(write, known);
      } else if (behind != null) {
        judged(place, new Result.HeldBack<>(behind));
      } else if (duplicate != null) {
        judged(place, duplicate);
      }
      return known != null || behind != null || duplicate != null;
    }

    void judged(int place, Result<T> result) {
      outcomes.put(place, result);
      holds.ended(writes.get(place), result);
    }

    void applied(int place, boolean created, @Nullable Mark mark) {
      recorded(place, new Outcome.Applied<>(null, created, mark));
    }

    void recorded(int place, Outcome<T> outcome) {
      places.add(place);
      messages.add(writes.get(place).message());
      judged(place, new Result.Judged<>(outcome));
    }

    void recordedOnTombstone(int place) {
      ofTombstone = true;
      recorded(place, new Outcome.Deleted<>());
    }

    FoldedWrite<T> attempt(boolean informed) {
      List<Message> recorded = messages.isEmpty() ? List.of(writes.get(0).message()) : messages;
      Marking marking = new Marking(recorded, key(), tracking, names, now, Marking.newToken());
      Change change = functions ? Change.change() : composition.change();
      return new FoldedWrite<>(marking, change, functions, informed, ofTombstone, outcomes, places);
    }
  }

  private Key key() {
    return writes.get(0).key();
  }

  /** Whether a write can stand in one with others. */
  static boolean folds(Write<?> write) {
    return write.action() instanceof Write.Action.Apply
        || (write.action() instanceof Write.Action.Update<?> update
            && Composition.takes(update.change()));
  }

  /** Refuses what no state of the entity lets pass. */
  void check(Write<T> write) {
    TrackedCall.requirePlace(write.message(), tracking);
  }

  /** The write of updates by who has not read; of none if the first has to be looked at. */
  FoldedWrite<T> blind(int limit) {
    Gathered gathered = new Gathered();
    Assumed assumed = new Assumed(tracking, now);
    for (int place = 0; place < writes.size(); place++) {
      if (!gathered.passes(place) && !takeBlindly(gathered, assumed, place, limit)) {
        break;
      }
    }
    return gathered.attempt(false);
  }

  private boolean takeBlindly(Gathered gathered, Assumed assumed, int place, int limit) {
    Message message = writes.get(place).message();
    boolean update = writes.get(place).action() instanceof Write.Action.Update;
    if (!update || !folds(writes.get(place)) || !assumed.takes(message)) {
      return false;
    }
    Judgement judgement = assumed.judge(message);
    if (judgement.kind() != Judgement.Kind.FRESH) {
      Mark mark = assumed.mark(message);
      gathered.judged(
          place,
          new Result.Judged<>(judgement.outcome(null, mark, tracking.acknowledgesBeyondHorizon())));
      return true;
    }
    if (gathered.places.size() >= limit || !gathered.composition.add(change(place))) {
      return false;
    }
    assumed.add(message);
    gathered.applied(place, false, assumed.mark(message));
    return true;
  }

  private Change change(int place) {
    Write.Action<T> action = writes.get(place).action();
    if (action instanceof Write.Action.Update<T> update) {
      return update.change();
    }
    boolean creates = ((Write.Action.Apply<T>) action).initialOrNull() != null;
    return creates ? Change.change().createIfMissing() : Change.change();
  }

  /** The write over an entity that was read. */
  FoldedWrite<T> informed(Found<T> found, FoldedFunctions<T> functions, int limit) {
    Gathered gathered = new Gathered();
    Found<T> known = found;
    for (int place = 0; place < writes.size(); place++) {
      if (gathered.passes(place)) {
        continue;
      }
      if (!folds(writes.get(place))) {
        break;
      }
      Optional<Result<T>> judged = judged(known, place);
      if (judged.isPresent()) {
        gathered.judged(place, judged.get());
        continue;
      }
      boolean alone = limit == 1 && !(writes.get(place).action() instanceof Write.Action.Apply);
      if (alone || gathered.places.size() >= limit || !goesWith(gathered, found, known, place)) {
        break;
      }
      Optional<Found<T>> after = take(gathered, known, place, functions);
      if (after.isEmpty()) {
        break;
      }
      known = after.get();
    }
    return gathered.attempt(true);
  }

  /** Functions and updates take a write each; one that only records goes with both. */
  private boolean goesWith(Gathered gathered, Found<T> found, Found<T> known, int place) {
    if (gathered.ofTombstone || isRecorded(known, place)) {
      return isRecorded(known, place);
    }
    boolean function = writes.get(place).action() instanceof Write.Action.Apply;
    boolean records = !function && change(place).operations().isEmpty();
    boolean onlyRecords = !gathered.functions && gathered.composition.isEmpty();
    boolean live = found.state(names, now) == Found.State.LIVE;
    if (function && !gathered.functions && !gathered.places.isEmpty() && !live) {
      return false; // what a record has created is not at hand
    }
    boolean fits = onlyRecords || records || gathered.functions == function;
    gathered.functions |= fits && function;
    return fits;
  }

  private Optional<Result<T>> judged(Found<T> known, int place) {
    TrackedCall call = call(place);
    try {
      Optional<Outcome<T>> outcome = call.settle(known);
      return (isRecorded(known, place)
              ? outcome
              : outcome.or(() -> call.existence(known, change(place))))
          .map(Result.Judged::new);
    } catch (TidemarkException e) {
      return Optional.of(new Result.Failed<>(Faults.withKey(e, key())));
    }
  }

  /** Whether a fresh message is recorded on the tombstone that is there. */
  private boolean isRecorded(Found<T> known, int place) {
    return call(place).recorder(known, change(place)).isPresent();
  }

  private TrackedCall call(int place) {
    Message message = writes.get(place).message();
    return new TrackedCall(message, key(), tracking, names, now, Marking.newToken());
  }

  /** What is there after a fresh write; empty if it does not go with those before it. */
  private Optional<Found<T>> take(
      Gathered gathered, Found<T> known, int place, FoldedFunctions<T> functions) {
    TrackedCall call = call(place);
    boolean created = known.state(names, now) != Found.State.LIVE;
    Map<String, Object> marks;
    try {
      marks = new LinkedHashMap<>(call.advanced(writes.get(place).message(), call.marks(known)));
      if (isRecorded(known, place)) {
        gathered.recordedOnTombstone(place);
        return Optional.of(new Found<>(true, marks, null));
      }
      if (writes.get(place).action() instanceof Write.Action.Apply<T> function) {
        if (functions.apply(function) instanceof Decision.Refuse<T> refusal) {
          return refused(gathered, known, place, refusal, marks, functions.entity());
        }
      } else if (!gathered.composition.add(change(place))) {
        return Optional.empty();
      }
    } catch (RuntimeException e) {
      gathered.judged(place, new Result.Failed<>(Faults.withKey(e, key())));
      return Optional.of(known);
    }
    marks.remove(names.tombstone());
    gathered.applied(place, created, call.mark(marks));
    return Optional.of(new Found<>(true, marks, known.entity()));
  }

  /** What is there after a refusal, which is recorded only where there is an entity. */
  private Optional<Found<T>> refused(
      Gathered gathered,
      Found<T> known,
      int place,
      Decision.Refuse<T> refusal,
      Map<String, Object> marks,
      @Nullable T entity) {
    boolean recorded = refusal.recorded() && known.state(names, now) == Found.State.LIVE;
    Outcome<T> outcome = new Outcome.Refused<>(entity, recorded);
    if (!recorded) {
      gathered.judged(place, new Result.Judged<>(outcome));
      return Optional.of(known);
    }
    gathered.recorded(place, outcome);
    return Optional.of(new Found<>(true, marks, known.entity()));
  }

  /** Whether what is stored was left by a write. */
  boolean isWrittenBy(Found<T> found, FoldedWrite<T> write) {
    return found.exists() && write.marking().token().equals(found.revision(names));
  }

  /** Whether the entity was created by it. */
  boolean isCreatedBy(Found<T> found, FoldedWrite<T> write) {
    return write.marking().token().equals(found.marks().get(names.birth()));
  }

  /**
   * Whether a write without an answer may have been made: all its messages are known now. If one is
   * not, none of them was recorded by it.
   */
  boolean isUnknown(Found<T> found, FoldedWrite<T> write) {
    return write.marking().isUncertain()
        && write.places().stream().allMatch(place -> judged(found, place).isPresent());
  }

  /** A result that is found; unknown if it may be the doing of a write without an answer. */
  Result<T> besideLost(int place, Result<T> result, List<FoldedWrite<T>> lost) {
    RuntimeException fault = result instanceof Result.Failed<T> failed ? failed.fault() : null;
    boolean doubtful =
        fault == null
            ? result instanceof Result.Judged<T> judged && isOfMarks(judged.outcome())
            : fault instanceof ContentionException || !(fault instanceof TidemarkException);
    return lost.stream()
        .filter(write -> doubtful && write.places().contains(place))
        .findFirst()
        .<Result<T>>map(write -> new Result.Failed<>(write.marking().unknown(fault)))
        .orElse(result);
  }

  /** Whether an outcome says that the message is not fresh. */
  private static boolean isOfMarks(Outcome<?> outcome) {
    return outcome instanceof Outcome.Duplicate
        || outcome instanceof Outcome.Stale
        || outcome instanceof Outcome.Gap
        || outcome instanceof Outcome.BeyondHorizon;
  }

  /** The outcome of a message that an accepted write applied or recorded. */
  Outcome<T> applied(
      int place,
      FoldedWrite<T> attempt,
      boolean created,
      @Nullable T entity,
      Map<String, Object> marks) {
    Result<T> gathered = Objects.requireNonNull(attempt.results().get(place));
    Outcome<T> outcome = ((Result.Judged<T>) gathered).outcome();
    if (!(outcome instanceof Outcome.Applied<T> applied)) {
      return attempt.isOfTombstone() ? outcome : new Outcome.Refused<>(entity, true);
    }
    Mark mark = applied.markOrNull();
    if (mark == null && writes.get(place).message() instanceof SourceEvent) {
      mark = call(place).mark(marks);
    }
    Outcome<T> told = new Outcome.Applied<>(entity, created || applied.created(), mark);
    return writes.get(place).action() instanceof Write.Action.Update<T> update
        ? TrackedCall.told(told, update.change())
        : told;
  }
}
