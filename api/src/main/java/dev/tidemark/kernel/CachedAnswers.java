package dev.tidemark.kernel;

import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a cache answers of the tasks of a {@link Run}, and what it learns of their outcomes. */
final class CachedAnswers<T> {
  private final List<Task<T>> tasks;
  private final Recall recall;
  private final boolean erases;
  private boolean ofTombstone;

  /** Asks the cache about each open task, and lets it forget an entity that loses marks. */
  CachedAnswers(List<Task<T>> tasks, Recall recall) {
    this.tasks = tasks;
    this.recall = recall;
    boolean any = false;
    for (Task<T> task : tasks) {
      any |= Recall.erases(task.write);
    }
    this.erases = any;
    boolean asks = tasks.size() == 1 || !erases;
    for (Task<T> task : tasks) {
      if (asks && task.result == null && !isOvertaken(task)) {
        Optional<Outcome<T>> sure = recall.sure(task.message(), task.write.key());
        task.cached = sure.<Result<T>>map(Result.Judged::new).orElse(null);
      }
    }
    if (erases && tasks.get(0).cached == null) {
      recall.forget(tasks.get(0).write.key());
    }
  }

  /**
   * Whether a later event of the same source stands earlier in the batch: this may be Stale then.
   */
  private boolean isOvertaken(Task<T> task) {
    return recall.isOn()
        && task.message() instanceof SourceEvent event
        && tasks.subList(0, tasks.indexOf(task)).stream()
            .map(Task::message)
            .anyMatch(
                other ->
                    other instanceof SourceEvent before
                        && before.source().generation(0).equals(event.source().generation(0))
                        && before.isLaterThan(event));
  }

  /** Notes a tombstone. What it proves ends when it expires, so nothing of it is kept. */
  void meetTombstone() {
    ofTombstone = true;
  }

  /** Lets the outcomes of those that were asked for be recalled. */
  void remember(@Nullable Object stored) {
    if (ofTombstone) {
      recall.forget(tasks.get(0).write.key());
      return;
    }
    for (Task<T> task : tasks) {
      if (task.cached == null && task.result instanceof Result.Judged<T> judged) {
        recall.saw(task.message(), task.write.key(), judged.outcome(), erases, stored);
      }
    }
  }
}
