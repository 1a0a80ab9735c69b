package dev.tidemark.kernel;

import dev.tidemark.Decision;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Mark;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import dev.tidemark.Write;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Gathers the next write over what was read: what is fresh of it, and what the rest becomes. */
final class InformedWalk<T> {
  private final Gathered<T> gathered;
  private final Verdicts<T> verdicts;
  private final Stored<T> stored;
  private final FoldedFunctions<T> functions;
  private final Found<T> found;
  private final int limit;

  /** What is there once the tasks that were taken are carried out. */
  private Found<T> known;

  /**
   * A walk that has not begun.
   *
   * @param stored what was read
   * @param limit how many messages a request may have
   */
  InformedWalk(Verdicts<T> verdicts, Stored<T> stored, int limit) {
    this.gathered = new Gathered<>(verdicts, stored);
    this.verdicts = verdicts;
    this.stored = stored;
    this.functions = stored.functions();
    this.found = stored.found();
    this.known = found;
    this.limit = limit;
  }

  /**
   * Walks over the tasks, as far as they go together.
   *
   * @param ruledOut the task whose rule is known to be false; null if there is none
   */
  Gathered<T> over(List<Task<T>> tasks, @Nullable Task<T> ruledOut) {
    for (Task<T> task : tasks) {
      if (gathered.hasResultOf(task)) {
        continue;
      }
      boolean alone = !task.folds();
      if (alone && !gathered.tasks.isEmpty()) {
        break;
      }
      Optional<Result<T>> judged = verdicts.judged(known, task);
      if (judged.isPresent() && gathered.changesWhatIsShown(task)) {
        break;
      }
      if (judged.isPresent()) {
        gathered.judged(task, judged.get());
        continue;
      }
      if (gathered.tasks.size() >= limit || !goesWithOthers(task)) {
        break;
      }
      if (alone && !verdicts.goesOnTombstone(known, task)) {
        try {
          takeAlone(task, task == ruledOut);
        } catch (TidemarkException e) {
          gathered.judged(task, new Result.Failed<>(Faults.withKey(e, task.write.key())));
        }
        break;
      }
      if (!takes(task) || alone) {
        break;
      }
    }
    return gathered;
  }

  private void takeAlone(Task<T> task, boolean ruledOut) {
    Rules rules = task.rules();
    boolean live = verdicts.isLive(known);
    boolean erases = task.erasesItself();
    if (task.deletes()) {
      gathered.alone(task, new Effect.Tombstone<>(rules), false, erases);
    } else if (task.forgets()) {
      requireNothingWaits();
      gathered.alone(task, new Effect.Removal<>(), false, erases);
    } else if (ruledOut || isRefused(task, live)) {
      refuse(task, rules.skipsOtherwise() && live);
    } else {
      gathered.publishes(task, rules.published());
      gathered.alone(task, task.effect(), !live, erases);
    }
  }

  /**
   * Whether the caller's rule is known to be false; what is published has room, or it is a fault.
   */
  private boolean isRefused(Task<T> task, boolean live) {
    gathered.requireRoom(task.rules().published());
    return RuleRefusal.isCertain(task.effect(), stored, live);
  }

  /** What waits would be lost with the record. */
  private void requireNothingWaits() {
    if (Outbox.keeps(found.marks(), verdicts.names())) {
      throw new InvalidChangeException(
          "outgoing messages wait in the entity, or are parked there; forget it once they are sent"
              + " or dropped",
          null,
          null);
    }
  }

  /** Refuses an update whose rule is false, and records the message if that is wanted. */
  private void refuse(Task<T> task, boolean recorded) {
    Outcome<T> refused = new Outcome.Refused<>(verdicts.shown(known, task).entity(), recorded);
    if (recorded) {
      OwnUpdate own = task.own();
      gathered.alone = new Effect.Nothing<>(own == null ? null : new Effect.Own<>(own));
      gathered.recorded(task, refused);
    } else {
      gathered.judged(task, new Result.Judged<>(refused));
    }
  }

  /** Whether a write can stand in the same request: functions and updates do not go together. */
  private boolean goesWithOthers(Task<T> task) {
    boolean buried = verdicts.goesOnTombstone(known, task);
    if (buried || gathered.ofTombstone) {
      return buried;
    }
    boolean empty = gathered.tasks.isEmpty();
    boolean calls = gathered.functions != null;
    if (task.write.action() instanceof Write.Action.Apply) {
      // The entity that others created in this request is not at hand for a function.
      return calls || empty || (gathered.composition.isEmpty() && verdicts.isLive(found));
    }
    return !calls || Composition.onlyRecords(task.update());
  }

  /** Takes a fresh task into the request; false if it does not go with those before it. */
  private boolean takes(Task<T> task) {
    Verdict verdict = verdicts.of(task);
    boolean created = !verdicts.isLive(known);
    boolean changed = true;
    Map<String, Object> marks;
    try {
      Marking marking = verdicts.judging(task);
      marks = new LinkedHashMap<>(marking.advanced(marking.marks(known), Set.of()));
      if (verdicts.goesOnTombstone(known, task)) {
        gathered.ofTombstone = true;
        gathered.recorded(task, new Outcome.Deleted<>());
        known = new Found<>(true, marks, null);
        return true;
      }
      if (task.write.action() instanceof Write.Action.Apply<T> function) {
        Decision<T> decision = called(function);
        if (decision instanceof Decision.Refuse<T> refusal) {
          refuse(task, refusal.recorded() && !created, marks);
          return true;
        }
        List<OutgoingMessage> published = ((Decision.To<T>) decision).published();
        gathered.publishes(task, published);
        changed = created || functions.changed() || !published.isEmpty();
        gathered.overtakes();
      } else {
        gathered.requireRoom(task.rules().published());
        if (!gathered.composition.add(Objects.requireNonNull(task.update()))) {
          return false;
        }
        gathered.publishes(task, task.rules().published());
      }
    } catch (Throwable e) { // of a function or a codec of the caller's, whatever it throws
      RuntimeException fault = Faults.withKey(Faults.unchecked(e), task.write.key());
      gathered.judged(task, new Result.Failed<>(fault));
      return true;
    }
    marks.remove(verdicts.names().tombstone());
    Mark mark = verdict.mark(marks);
    T shown = known.entity();
    known = new Found<>(true, marks, shown);
    gathered.recorded(
        task,
        changed
            ? new Outcome.Applied<>(shown, created, mark)
            : new Outcome.Recorded<>(shown, mark));
    return true;
  }

  /** Calls a function on an entity that no outcome shows; what it leaves is what is known then. */
  private Decision<T> called(Write.Action.Apply<T> function) {
    if (gathered.hasResults()) {
      functions.renew(gathered.tasks.size());
    }
    gathered.functions = functions;
    try {
      return functions.apply(withinRoom(function));
    } finally {
      known = new Found<>(known.exists(), known.marks(), functions.entity());
    }
  }

  /** The same function, failing where it publishes more than may wait. */
  private Write.Action.Apply<T> withinRoom(Write.Action.Apply<T> function) {
    return new Write.Action.Apply<>(
        function.initialOrNull(),
        entity -> {
          Decision<T> decision = function.decide(entity);
          if (decision instanceof Decision.To<T> to) {
            gathered.requireRoom(to.published());
          }
          return decision;
        });
  }

  /** Refuses as a function decided, which is recorded only where there is an entity. */
  private void refuse(Task<T> task, boolean recorded, Map<String, Object> marks) {
    Outcome<T> refused = new Outcome.Refused<>(known.entity(), recorded);
    if (recorded) {
      gathered.recorded(task, refused);
      known = new Found<>(true, marks, known.entity());
    } else {
      gathered.judged(task, new Result.Judged<>(refused));
    }
  }
}
