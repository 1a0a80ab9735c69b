package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the writes of one entity that have no result yet, in order. Each walk gathers the next
 * conditional write, and what it means for every message on the way.
 */
final class Pass<T> {
  /** The token of markings that only judge. No write has it. */
  private static final ByteBuffer NO_TOKEN = ByteBuffer.allocate(0);

  private final List<Write<T>> writes;
  private final List<@Nullable Result<T>> results;
  private final Sure<T> sure;
  private final Tracking tracking;
  private final Names names;
  private final Clock clock;
  boolean deletesBlindly;
  private Verdicts<T> verdicts;

  Pass(
      List<Write<T>> writes,
      List<@Nullable Result<T>> results,
      Sure<T> sure,
      Tracking tracking,
      Names names,
      Clock clock) {
    this.writes = writes;
    this.results = results;
    this.sure = sure;
    this.tracking = tracking;
    this.names = names;
    this.clock = clock;
    this.verdicts = new Verdicts<>(writes, tracking, names, Instant.EPOCH);
  }

  /** Whether no write needs a request any more; if so, gives each its result. */
  boolean isOver() {
    Gathered<T> gathered = new Gathered<>(writes, results, sure, tracking);
    for (int place = 0; place < writes.size(); place++) {
      if (!gathered.passes(place)) {
        return false;
      }
    }
    gathered.outcomes.forEach(results::set);
    return true;
  }

  /** Starts a round, which reads the clock once. */
  void start() {
    verdicts = new Verdicts<>(writes, tracking, names, clock.instant());
  }

  Instant now() {
    return verdicts.now();
  }

  private Attempt<T> attempt(Gathered<T> gathered, @Nullable Stored<T> over) {
    Marking marking = marking(gathered.messages(), Marking.newToken());
    if (over != null && over.isPartial()) {
      marking.isOfPart();
    }
    return gathered.attempt(marking, over);
  }

  /** A marking of one message, of no write. */
  private Marking judging(int place) {
    return marking(List.of(writes.get(place).message()), NO_TOKEN);
  }

  private Marking marking(List<Message> messages, ByteBuffer token) {
    return new Marking(messages, key(), tracking, names, now(), token);
  }

  /** The attempt that stands for a write made outside of the run. */
  Attempt<T> resumed(ByteBuffer token) {
    Marking marking = marking(List.of(writes.get(0).message()), token);
    Effect<T> effect = new Effect.Own<>(Objects.requireNonNull(verdicts.own(0)));
    Result<T> applied = new Result.Judged<>(new Outcome.Applied<>(null, false, null));
    return new Attempt<>(
        new Request<>(marking, null, effect), Map.of(0, applied), List.of(0), false);
  }

  /** What tells the entity that its sources have to be counted. */
  Attempt<T> flag(Attempt<T> after) {
    Request<T> request = new Request<>(after.marking(), null, new Effect.Flag<>());
    return new Attempt<>(request, Map.of(), List.of(), false);
  }

  EntityKey key() {
    return verdicts.key();
  }

  /** Whether a write can stand in one with others. */
  private boolean folds(int place) {
    return writes.get(place).action() instanceof Write.Action.Apply
        || Composition.takes(verdicts.update(place));
  }

  /** The write of updates without a read; an empty one if the first open write needs a read. */
  Attempt<T> blind(int limit) {
    Gathered<T> gathered = new Gathered<>(writes, results, sure, tracking);
    Assumed assumed = new Assumed(tracking, now());
    for (int place = 0; place < writes.size(); place++) {
      if (!gathered.passes(place) && !takeBlindly(gathered, assumed, place, limit)) {
        break;
      }
    }
    return attempt(gathered, null);
  }

  private boolean takeBlindly(Gathered<T> gathered, Assumed assumed, int place, int limit) {
    Message message = writes.get(place).message();
    Write.Action<T> action = writes.get(place).action();
    boolean deletes = deletesBlindly && action instanceof Write.Action.Delete;
    boolean goes = deletes || action instanceof Write.Action.Update;
    if (!goes || gathered.alone != null || !assumed.takes(message)) {
      return false;
    }
    if (deletes) {
      if (gathered.places.isEmpty()) {
        gathered.alone(place, new Effect.Tombstone<>(verdicts.rules(place)), false, false);
      }
      return gathered.alone != null;
    }
    if (!folds(place)) {
      return takeAloneBlindly(gathered, place);
    }
    Judgement judgement = assumed.judge(message);
    boolean fresh = judgement.kind() == Judgement.Kind.FRESH;
    if (!fresh && gathered.changesWhatIsShown(place)) {
      return false;
    }
    if (!fresh) {
      Mark mark = assumed.mark(message);
      gathered.judged(
          place,
          new Result.Judged<>(judgement.outcome(null, mark, tracking.acknowledgesBeyondHorizon())));
      return true;
    }
    if (gathered.places.size() >= limit || !gathered.composition.add(update(place))) {
      return false;
    }
    assumed.add(message);
    gathered.applied(place, false, assumed.mark(message));
    return true;
  }

  /** A client repeats a write by itself, so one that erases its own mark needs a read before. */
  private boolean takeAloneBlindly(Gathered<T> gathered, int place) {
    OwnUpdate own = verdicts.own(place);
    boolean erases = Ids.isOf(writes.get(place).message(), verdicts.rules(place).retired());
    boolean goes = own == null || own.goesBlindly();
    if (!gathered.places.isEmpty() || erases || !goes) {
      return false;
    }
    gathered.alone(place, changes(place), false, false);
    return true;
  }

  private EntityUpdate update(int place) {
    return Objects.requireNonNull(verdicts.update(place));
  }

  private Effect<T> changes(int place) {
    OwnUpdate own = verdicts.own(place);
    return own == null
        ? new Effect.Changes<>(Objects.requireNonNull(verdicts.change(place)))
        : new Effect.Own<>(own);
  }

  /**
   * The write over what was read.
   *
   * @param byRule the place whose rule is known to be false; -1 if there is none
   */
  Attempt<T> informed(Stored<T> stored, int limit, int byRule) {
    Gathered<T> gathered = new Gathered<>(writes, results, sure, tracking);
    Found<T> found = stored.found();
    Found<T> known = found;
    FoldedFunctions<T> functions = stored.functions();
    for (int place = 0; place < writes.size(); place++) {
      if (gathered.passes(place)) {
        continue;
      }
      boolean alone = !folds(place);
      if (alone && !gathered.places.isEmpty()) {
        break;
      }
      Optional<Result<T>> judged = verdicts.judged(known, place);
      if (judged.isPresent() && gathered.changesWhatIsShown(place)) {
        break;
      }
      if (judged.isPresent()) {
        gathered.judged(place, judged.get());
        continue;
      }
      if (gathered.places.size() >= limit || !goesWith(gathered, found, known, place, functions)) {
        break;
      }
      Optional<Found<T>> after =
          alone && !verdicts.isRecorded(known, place)
              ? takeAlone(gathered, known, place, place == byRule)
              : take(gathered, known, place, functions);
      if (alone || after.isEmpty()) {
        break;
      }
      known = after.get();
    }
    return attempt(gathered, stored);
  }

  private Optional<Found<T>> takeAlone(
      Gathered<T> gathered, Found<T> known, int place, boolean ruleFailed) {
    Write.Action<T> action = writes.get(place).action();
    Rules rules = verdicts.rules(place);
    boolean live = verdicts.isLive(known);
    boolean erases =
        action instanceof Write.Action.Forget
            || Ids.isOf(writes.get(place).message(), rules.retired());
    if (action instanceof Write.Action.Delete) {
      gathered.alone(place, new Effect.Tombstone<>(rules), false, erases);
    } else if (action instanceof Write.Action.Forget) {
      gathered.alone(place, new Effect.Removal<>(), false, erases);
    } else if (!ruleFailed) {
      gathered.alone(place, changes(place), !live, erases);
    } else if (rules.skipsOtherwise() && live) {
      OwnUpdate own = verdicts.own(place);
      gathered.alone = new Effect.Nothing<>(own == null ? null : new Effect.Own<>(own));
      gathered.recorded(place, new Outcome.Refused<>(verdicts.shown(known, place).entity(), true));
    } else {
      T entity = verdicts.shown(known, place).entity();
      gathered.judged(place, new Result.Judged<>(new Outcome.Refused<>(entity, false)));
    }
    return Optional.empty();
  }

  /** Whether a write can stand in the same request: functions and updates do not go together. */
  private boolean goesWith(
      Gathered<T> gathered,
      Found<T> found,
      Found<T> known,
      int place,
      FoldedFunctions<T> functions) {
    if (gathered.ofTombstone || verdicts.isRecorded(known, place)) {
      return verdicts.isRecorded(known, place);
    }
    boolean function = writes.get(place).action() instanceof Write.Action.Apply;
    boolean records = Composition.onlyRecords(verdicts.update(place));
    boolean calls = gathered.functions != null;
    boolean onlyRecords = !calls && gathered.composition.isEmpty();
    boolean live = verdicts.isLive(found);
    if (function && !calls && !gathered.places.isEmpty() && !live) {
      return false; // what a record has created is not at hand
    }
    boolean fits = onlyRecords || records || calls == function;
    if (fits && function) {
      gathered.functions = functions;
    }
    return fits;
  }

  /** What is there after a fresh write; empty if it does not go with those before it. */
  private Optional<Found<T>> take(
      Gathered<T> gathered, Found<T> known, int place, FoldedFunctions<T> functions) {
    Verdict verdict = verdicts.of(place);
    boolean created = !verdicts.isLive(known);
    Map<String, Object> marks;
    boolean changed = true;
    try {
      marks = new LinkedHashMap<>(judging(place).advanced(verdict.marks(known)));
      if (verdicts.isRecorded(known, place)) {
        gathered.recordedOnTombstone(place);
        return Optional.of(new Found<>(true, marks, null));
      }
      if (writes.get(place).action() instanceof Write.Action.Apply<T> function) {
        if (functions.apply(function) instanceof Decision.Refuse<T> refusal) {
          return refused(gathered, known, place, refusal, marks, functions.entity());
        }
        changed = created || functions.changed();
      } else if (!gathered.composition.add(update(place))) {
        return Optional.empty();
      }
    } catch (RuntimeException e) {
      gathered.judged(place, new Result.Failed<>(Faults.withKey(e, key())));
      return Optional.of(known);
    }
    marks.remove(names.tombstone());
    Mark mark = verdict.mark(marks);
    gathered.recorded(
        place,
        changed ? new Outcome.Applied<>(null, created, mark) : new Outcome.Recorded<>(null, mark));
    T entity = gathered.functions == null ? known.entity() : functions.entity();
    return Optional.of(new Found<>(true, marks, entity));
  }

  /** What is there after a refusal, which is recorded only where there is an entity. */
  private Optional<Found<T>> refused(
      Gathered<T> gathered,
      Found<T> known,
      int place,
      Decision.Refuse<T> refusal,
      Map<String, Object> marks,
      @Nullable T entity) {
    boolean recorded = refusal.recorded() && verdicts.isLive(known);
    Outcome<T> outcome = new Outcome.Refused<>(entity, recorded);
    if (!recorded) {
      gathered.judged(place, new Result.Judged<>(outcome));
      return Optional.of(known);
    }
    gathered.recorded(place, outcome);
    return Optional.of(new Found<>(true, marks, known.entity()));
  }

  /**
   * Whether a write without an answer may have been made: all its messages are known now, or it
   * leaves no trace of them. If one is not, none of them was recorded by it.
   */
  boolean isUnknown(Found<T> found, Attempt<T> write) {
    boolean traceless = write.erases() && found.exists();
    return write.marking().isUncertain()
        && (traceless
            || write.places().stream().allMatch(place -> verdicts.mayBeRecorded(found, place)));
  }

  /** Whether a write brings a source of which a tracked entity has no mark yet. */
  boolean bringsSource(Attempt<T> write, Found<T> found) {
    return found.revision(names) != null
        && write.marking().messages().stream()
            .anyMatch(
                message ->
                    message instanceof SourceEvent event
                        && !found.marks().containsKey(names.mark(event.source(), Names.Part.MARK)));
  }

  /** Whether the first message of a refused write is still to be applied or recorded. */
  boolean isOpen(Attempt<T> write, Found<T> now) {
    int first = write.places().get(0);
    return results.get(first) == null && verdicts.isFresh(now, first);
  }

  /** Whether a blind write over what is stored can be refused by the caller's rule alone. */
  boolean passes(Attempt<T> blind, Found<T> found) {
    int first = blind.places().get(0);
    boolean there = found.isOpen(names) || (!found.exists() && verdicts.rules(first).creates());
    return there && blind.marking().acceptsBlindly(blind.marking().marks(found));
  }

  /** The outcome of a message that an accepted write applied or recorded. */
  Outcome<T> applied(
      int place,
      Attempt<T> attempt,
      boolean created,
      @Nullable T after,
      Map<String, Object> marks) {
    T entity = verdicts.rules(place).returns() ? after : null;
    Result<T> gathered = Objects.requireNonNull(attempt.results().get(place));
    Outcome<T> outcome = ((Result.Judged<T>) gathered).outcome();
    if (outcome instanceof Outcome.Refused<T> refused) { // which leaves the entity as it was
      return new Outcome.Refused<>(entity == null ? refused.entityOrNull() : entity, true);
    }
    if (outcome instanceof Outcome.Recorded<T> recorded) {
      return new Outcome.Recorded<>(entity, recorded.markOrNull());
    }
    if (!(outcome instanceof Outcome.Applied<T> applied)) {
      return outcome;
    }
    Mark mark = applied.markOrNull();
    boolean event = writes.get(place).message() instanceof SourceEvent;
    if (mark == null && event && !attempt.erases()) {
      mark = mark(place, attempt, marks);
    }
    boolean creates = created || applied.created();
    return creates || !recordsOnly(place)
        ? new Outcome.Applied<>(entity, creates, mark)
        : new Outcome.Recorded<>(entity, mark);
  }

  /** The mark after an accepted write, which only windows that were not read have to be told. */
  private @Nullable Mark mark(int place, Attempt<T> attempt, Map<String, Object> told) {
    Marking marking = attempt.marking();
    Stored<T> over = attempt.request().over();
    if (over != null) {
      Set<Source> retired = attempt.request().rules().retired();
      return verdicts.of(place).mark(marking.marksAfter(marking.marks(over.found()), retired));
    }
    SourceEvent event = (SourceEvent) writes.get(place).message();
    return marking.hasWindows()
        ? verdicts.of(place).mark(told)
        : new Mark(event.source(), event.position());
  }

  /** Whether a write of an entity that is there does nothing but record its message. */
  private boolean recordsOnly(int place) {
    OwnUpdate own = verdicts.own(place);
    Change change = verdicts.change(place);
    return own != null
        ? own.recordsOnly()
        : change != null && change.operations().isEmpty() && change.rules().retired().isEmpty();
  }
}
