package dev.tidemark.kernel;

import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a walk over the tasks has gathered: the next request, and what it means for the tasks. */
final class Gathered<T> {
  /** Those that the request applies or records. */
  final List<Task<T>> tasks = new ArrayList<>();

  final Composition composition = new Composition();
  final Verdicts<T> verdicts;
  @Nullable FoldedFunctions<T> functions;
  @Nullable Effect<T> alone;
  boolean ofTombstone;

  /** How many tasks of the request come before its last function. */
  private int overtaken;

  private final @Nullable Stored<T> over;
  private final Holds holds;
  private final Map<Task<T>, Result<T>> results = new LinkedHashMap<>();
  private boolean erases;

  /** What leaves because of the request, in its stored form. */
  private final List<Map<String, Object>> published = new ArrayList<>();

  /**
   * Nothing yet.
   *
   * @param over what was read; null if nothing was
   */
  Gathered(Verdicts<T> verdicts, @Nullable Stored<T> over) {
    this.verdicts = verdicts;
    this.over = over;
    this.holds = new Holds(verdicts.tracking());
  }

  /**
   * Whether a task needs no request: it has a result, is held back, or is a duplicate for sure. Its
   * result is noted.
   */
  boolean hasResultOf(Task<T> task) {
    Message awaited = holds.awaitedBy(task.write);
    if (task.result != null) {
      holds.ended(task.write, task.result);
    } else if (awaited != null) {
      judged(task, new Result.HeldBack<>(awaited));
    } else if (task.cached != null) {
      judged(task, task.cached);
    }
    return task.result != null || awaited != null || task.cached != null;
  }

  /**
   * Whether the outcome of a write shows an entity that the writes before it change, so that it is
   * at hand once they are made. Functions have it before.
   */
  boolean changesWhatIsShown(Task<T> task) {
    return task.rules().returns() && functions == null && !tasks.isEmpty();
  }

  void judged(Task<T> task, Result<T> result) {
    results.put(task, result);
    holds.ended(task.write, result);
  }

  /**
   * Requires that messages may wait beside those that do, and those that the request has already.
   *
   * @throws dev.tidemark.ContentionException if more messages would wait than may
   * @throws dev.tidemark.TooLargeException if these alone are more than may wait
   */
  void requireRoom(List<OutgoingMessage> messages) {
    if (!messages.isEmpty()) {
      Map<String, Object> marks = over == null ? Map.of() : verdicts.marks(over.found());
      Outbox.requireRoom(
          published.size(), messages.size(), marks, verdicts.tracking(), verdicts.names());
    }
  }

  /** Whether one request may publish messages beside those that it has already. */
  boolean mayPublish(List<OutgoingMessage> messages) {
    return published.size() + messages.size() <= verdicts.tracking().maxWaiting();
  }

  /** Takes what leaves because of a task that is to be applied. */
  void publishes(Task<T> task, List<OutgoingMessage> messages) {
    for (int place = 0; place < messages.size(); place++) {
      published.add(verdicts.stored(messages.get(place), task, place));
    }
  }

  void applied(Task<T> task, boolean created, @Nullable Mark mark) {
    recorded(task, new Outcome.Applied<>(null, created, mark));
  }

  void recorded(Task<T> task, Outcome<T> outcome) {
    tasks.add(task);
    judged(task, new Result.Judged<>(outcome));
  }

  /** A write that stands in a request by itself. */
  void alone(Task<T> task, Effect<T> effect, boolean created, boolean erasing) {
    alone = effect;
    erases = erasing;
    applied(task, created, null);
  }

  private Effect<T> effect() {
    if (ofTombstone) {
      return new Effect.Nothing<>(null);
    }
    if (alone != null) {
      return alone;
    }
    return functions != null ? new Effect.Called<>(functions) : composition.effect();
  }

  /** Whether an outcome may show the entity. */
  boolean hasResults() {
    return !results.isEmpty();
  }

  /** Whether a task has failed, which another record might not let it. */
  boolean hasFault() {
    return results.values().stream().anyMatch(Result.Failed.class::isInstance);
  }

  /** Takes note that a function goes on from the entity that the tasks so far show. */
  void overtakes() {
    overtaken = tasks.size();
  }

  /** Gives the tasks the results that need no request. */
  void settle() {
    results.forEach((task, result) -> task.result = result);
  }

  /** Whether no task needs a request any more; if so, gives each its result. */
  boolean settles(List<Task<T>> all) {
    for (Task<T> task : all) {
      if (!hasResultOf(task)) {
        return false;
      }
    }
    settle();
    return true;
  }

  /** The request with a token of its own; null if no task needs one. */
  @Nullable Attempt<T> attempt() {
    if (tasks.isEmpty()) {
      return null;
    }
    Marking marking = verdicts.marking(tasks, Revision.newToken());
    if (over != null && over.isPartial()) {
      marking.sources().areInPart();
    }
    marking.publishes(published);
    return new Attempt<>(new Request<>(marking, over, effect()), results, tasks, overtaken, erases);
  }
}
