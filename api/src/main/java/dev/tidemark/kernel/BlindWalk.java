package dev.tidemark.kernel;

import dev.tidemark.EntityUpdate;
import dev.tidemark.Message;
import dev.tidemark.Result;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Gathers the next write of updates and deletes by a writer that has not read the entity. */
final class BlindWalk<T> {
  private final Gathered<T> gathered;
  private final Verdicts<T> verdicts;
  private final Assumed assumed;
  private final int limit;
  private final boolean deletes;

  /**
   * A walk that has not begun.
   *
   * @param limit how many messages a request may have
   * @param deletes whether a delete may do without a read
   */
  BlindWalk(Verdicts<T> verdicts, int limit, boolean deletes) {
    this.gathered = new Gathered<>(verdicts, null);
    this.verdicts = verdicts;
    this.assumed = new Assumed(verdicts.tracking(), verdicts.now());
    this.limit = limit;
    this.deletes = deletes;
  }

  /** The request; null if the first open task needs a read. */
  @Nullable Attempt<T> attempt(List<Task<T>> tasks) {
    for (Task<T> task : tasks) {
      if (!gathered.hasResultOf(task) && !takes(task)) {
        break;
      }
    }
    return gathered.attempt();
  }

  private boolean takes(Task<T> task) {
    EntityUpdate update = task.update();
    boolean buries = deletes && task.deletes();
    boolean goes = buries || update != null;
    if (!goes || gathered.alone != null || !assumed.takes(task.message())) {
      return false;
    }
    if (verdicts.joins() && task.rules().creates() && task.onlyRecords()) {
      return false; // no reply tells whether it created
    }
    if (buries) {
      return takesAlone(task, new Effect.Tombstone<>(task.rules()));
    }
    return task.folds() ? takes(task, Objects.requireNonNull(update)) : takesAlone(task);
  }

  private boolean takes(Task<T> task, EntityUpdate update) {
    Message message = task.message();
    Judgement judgement = assumed.judge(message);
    if (judgement.kind() == Judgement.Kind.FRESH) {
      boolean goes =
          gathered.tasks.size() < limit
              && gathered.mayPublish(update.rules().published())
              && gathered.composition.add(update);
      if (goes) {
        assumed.add(message);
        gathered.publishes(task, update.rules().published());
        gathered.applied(task, false, assumed.mark(message));
      }
      return goes;
    }
    boolean goes = !gathered.changesWhatIsShown(task);
    if (goes) {
      boolean beyondIsDone = verdicts.tracking().acknowledgesBeyondHorizon();
      gathered.judged(
          task, new Result.Judged<>(judgement.outcome(null, assumed.mark(message), beyondIsDone)));
    }
    return goes;
  }

  /** A client repeats a write by itself, so one that erases its own mark needs a read before. */
  private boolean takesAlone(Task<T> task) {
    OwnUpdate own = task.own();
    boolean goes = own == null || own.goesBlindly();
    return goes && !task.erasesItself() && takesAlone(task, task.effect());
  }

  private boolean takesAlone(Task<T> task, Effect<T> effect) {
    boolean first = gathered.tasks.isEmpty();
    if (first) {
      gathered.publishes(task, task.rules().published());
      gathered.alone(task, effect, false, false);
    }
    return first;
  }
}
